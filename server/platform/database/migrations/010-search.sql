-- What items are found by: the lexemes of each, and the words that there are, for typing errors. None of those in SQL is
-- strict: PostgreSQL then writes them into the statement, which makes them several times as fast.

-- Without case, accents and the letters that have no plain sister; in step with `foldText` of core/text/fold-text.ts, and for
-- the letters of Western Europe independent of the database's locale.
create function fold_text(given text) returns text language sql immutable parallel safe as $$
  select case when octet_length(given) = length(given) then lower(given) else
    lower(replace(replace(replace(replace(replace(replace(replace(replace(
      translate(regexp_replace(normalize(given, nfd), '[\u0300-\u036f]', '', 'g'), 'ØøÐðĐđĦħıŁł', 'ooddddhhill'),
      'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'), 'ẞ', 'ss'), 'ß', 'ss')) end
$$;

-- A number or reference by its letters and digits alone.
create function compact_of(given text) returns text language sql immutable parallel safe as $$
  select regexp_replace(fold_text(given), '[^0-9a-z]+', '', 'g')
$$;

-- The words of a folded text as lexemes of items of a type. There may be an empty one.
create function word_lexemes(type_digit text, folded text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(type_digit || 'w:' || regexp_replace(folded,
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f]+', U&'\0001' || type_digit || 'w:', 'g'), U&'\0001')
$$;

-- An item's lexemes, each after the digit of its type, so that items of one type are found without going through the
-- others: `w:` the words of the first line, `n:` that line as a whole, `r:` the second one; and the keys that the item's
-- own table gives it. In PL/pgSQL, which keeps what it has read of the others: a generated column in SQL is read and
-- put together anew for each statement, which took as long as all the rest of storing a new debtor.
create function search_lexemes(item_type int, first_line text, second_line text, keys text[])
returns tsvector language plpgsql immutable parallel safe as $$
begin
  return array_to_tsvector(array_remove(array_remove(
    word_lexemes(item_type::text, fold_text(first_line)) || keys || array[
      item_type::text || 'n:' || left(fold_text(first_line), 200),
      item_type::text || 'r:' || left(compact_of(second_line), 100)], item_type::text || 'w:'), null));
end $$;

-- What a debtor is found by besides name and reference: `i:` the identity number, also as it is spoken in Sweden, without
-- the century; `p:` each phone's digits; `e:` each e-mail; and the words of the e-mail's local part.
create function debtor_search_keys(d debtor) returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    '3i:' || compact_of(d.id_number),
    case when d.id_number ~ '^(19|20)[0-9]{6}-' then '3i:' || substr(compact_of(d.id_number), 3) end,
    '3p:' || ltrim(split_part(d.home_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.work_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.cellular_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.conversation_notification_cellular_phone, ' ', 1), '+'),
    '3e:' || lower(d.email),
    '3e:' || lower(d.conversation_notification_email)], null) || word_lexemes('3', fold_text(split_part(d.email, '@', 1)))
$$;

alter table item add column search_keys text[] not null default '{}';
update item set search_keys = debtor_search_keys(d) from debtor d where d.id = item.guid;
alter table item add column lexemes tsvector not null
  generated always as (search_lexemes(type, primary_description, secondary_description, search_keys)) stored;
-- Writers bring their new entries in early, so that a search has few to go through one by one.
create index item_lexemes on item using gin (lexemes) with (gin_pending_list_limit = 256);

-- For lookups: references by a part of them; items in the order of their names, and by parts of words. Debtors have their own such indexes.
create index debtor_reference_part on debtor using gin (debtor_reference gin_trgm_ops);
create index item_name_order on item (type, primary_description collate fordra_order, guid) where type <> 3;
create index item_part on item
  using gin (fold_text(primary_description || ' ' || coalesce(secondary_description, '')) gin_trgm_ops) where type <> 3;

-- Every word that an item's lines or keys have had. A word that two write at the same time stands here twice, which is
-- better than that one waits for the other.
create table search_word (word text not null);
create index search_word_word on search_word (word text_pattern_ops);
create index search_word_part on search_word using gin (word gin_trgm_ops);

create function keep_search_words() returns trigger language plpgsql as $$
begin
  -- One look into the index for each word: `not exists` would become a join that reads every word there is.
  insert into search_word (word)
    select given.word from (
      select distinct substr(lexeme, 4) as word from new_rows, unnest(tsvector_to_array(lexemes)) lexeme
      where lexeme ~ '^.w:[^0-9]{3,40}$') given
    where (select true from search_word w where w.word = given.word limit 1) is null;
  return null;
end $$;
insert into search_word (word)
  select distinct substr(lexeme, 4) from item, unnest(tsvector_to_array(lexemes)) lexeme where lexeme ~ '^.w:[^0-9]{3,40}$';
create trigger item_inserted after insert on item referencing new table as new_rows
  for each statement execute function keep_search_words();
create trigger item_updated after update on item referencing new table as new_rows
  for each statement execute function keep_search_words();
