-- E-mail addresses and cellular phone numbers change often. An index of either made each such change enter the debtor
-- into every index of debtors again (no heap-only tuple), and pages of a dozen indexes into the log. The search item of
-- the debtor has both among its lexemes and is written anyway, so filters find debtors by `item_lexemes`.
drop index debtor_email;
drop index debtor_cellular_phone;

-- The question for the items of debtors that have one of the values, as `debtor_search_keys` writes them: `e` for an
-- e-mail, `p` for a phone number. It may find more, never fewer. No member is longer than 300 characters.
create function contact_question(kind text, given text[], ending text default '') returns tsquery
language sql immutable parallel safe as $$
  select string_agg('''' || replace(replace('3' || kind || ':' || left(
      case kind when 'e' then lower(v) else ltrim(split_part(v, ' ', 1), '+') end, 300),
    '\', '\\'), '''', '''''') || '''' || ending, ' | ')::tsquery
  from unnest(given) v
$$;

-- Words that the item had before are known, so only new ones are looked for.
create function keep_new_search_words() returns trigger language plpgsql as $$
begin
  insert into search_word (word)
    select given.word from (
      select distinct substr(lexeme, 4) as word
      from new_rows n join old_rows o using (guid),
        unnest(tsvector_to_array(ts_delete(n.lexemes, tsvector_to_array(o.lexemes)))) lexeme
      where lexeme ~ '^.w:[^0-9]{3,40}$') given
    where (select true from search_word w where w.word = given.word limit 1) is null;
  return null;
end $$;
drop trigger item_updated on item;
create trigger item_updated after update on item referencing old table as old_rows new table as new_rows
  for each statement execute function keep_new_search_words();
