-- A trigger for each statement ran also where a change of a debtor left its item alone, and with its tables of rows it was
-- a fifth of what the change took. One for each row runs only where the lexemes change, and writes only words that are new.
create function keep_added_search_words() returns trigger language plpgsql as $$
declare
  added text[] := tsvector_to_array(ts_delete(new.lexemes, tsvector_to_array(old.lexemes)));
  lexeme text;
begin
  foreach lexeme in array added loop
    if lexeme ~ '^.w:[^0-9]{3,40}$' and
        (select true from search_word w where w.word = substr(lexeme, 4) limit 1) is null then
      insert into search_word (word) values (substr(lexeme, 4));
    end if;
  end loop;
  return null;
end $$;
drop trigger item_updated on item;
create trigger item_updated after update on item for each row when (old.lexemes is distinct from new.lexemes)
  execute function keep_added_search_words();
drop function keep_new_search_words();
