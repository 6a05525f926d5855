-- Custom fields, lookups, system settings, items, search, favorites and notes.

-- A custom field of an entity; or, where `type` is null, what an administrator changed of a built-in field.
create table user_field (
  id uuid primary key,
  entity text not null,
  code text not null,
  type text,
  labels jsonb not null default '{}',
  length int,
  min_value text,
  max_value text,
  specific_values text,
  lookup_code text,
  must_match_lookup boolean not null default false,
  required boolean,
  default_value jsonb,
  field_order int,
  hidden boolean not null default false,
  indexed boolean not null default false,
  audit boolean not null default true,
  personal_data_type_id int not null default 0,
  version int not null default 1,
  event_sequence bigint not null default 1
);
create unique index user_field_code on user_field (entity, lower(code));

-- A date-time as stored in a `custom` column, always with Z: so the result does not depend on the session's settings.
create function custom_time(value text) returns timestamptz language sql immutable parallel safe as $$
  select value::timestamptz
$$;

-- Values that an agency adds to a lookup, described per language: {"en": "…", "sv": "…"}.
create table lookup_value (
  id uuid primary key,
  lookup_code text not null,
  lookup_key text not null,
  descriptions jsonb not null,
  position int not null default 0,
  version int not null default 1,
  event_sequence bigint not null default 1
);
create unique index lookup_value_key on lookup_value (lookup_code, lower(lookup_key));

-- The installation's settings as one row, and every previous version of it.
create table system_setting (
  singleton boolean primary key default true check (singleton),
  id uuid not null default gen_random_uuid(),
  settings jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 0
);
insert into system_setting default values;
create table system_setting_history (
  version int primary key,
  settings jsonb not null,
  replaced_at timestamptz not null default now(),
  business_date date not null,
  replaced_by uuid
);

-- Search functions. None of those in SQL is strict: PostgreSQL can then inline them, which is several times as fast.

-- Lower case, without accents, with letters such as Ø and ß replaced by plain ones. Must agree with `foldText` of
-- core/text/fold-text.ts. For the letters of Western Europe the result does not depend on the database's locale.
create function fold_text(given text) returns text language sql immutable parallel safe as $$
  select case when octet_length(given) = length(given) then lower(given) else
    lower(replace(replace(replace(replace(replace(replace(replace(replace(
      translate(regexp_replace(normalize(given, nfd), '[\u0300-\u036f]', '', 'g'), 'ØøÐðĐđĦħıŁł', 'ooddddhhill'),
      'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'), 'ẞ', 'ss'), 'ß', 'ss')) end
$$;

-- The words of a folded text as lexemes of an item type. One of them may be empty.
create function word_lexemes(type_digit text, folded text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(type_digit || 'w:' || regexp_replace(folded,
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f]+', U&'\0001' || type_digit || 'w:', 'g'), U&'\0001')
$$;

-- Two functions that a generated column depends on. pg_dump and pg_restore run without a search path, so these name the
-- schema of the functions they call; a search path of their own would prevent inlining.
--
-- `compact_of`: a number or reference reduced to its letters and digits.
--
-- `search_lexemes`: an item's lexemes, each prefixed with the digit of the item type, so that a search within one type
-- reads no others. `w:` words of the first line, `n:` the whole first line, `r:` the second line; plus the item's own
-- keys. It is in PL/pgSQL, which caches its plan: an SQL function in a generated column is parsed again per statement,
-- which took as long as all the rest of storing a debtor.
do $migration$
declare
  place text := quote_ident(current_schema());
begin
  execute format($sql$
    create or replace function compact_of(given text) returns text language sql immutable parallel safe as $$
      select regexp_replace(%1$s.fold_text(given), '[^0-9a-z]+', '', 'g')
    $$
  $sql$, place);
  execute format($sql$
    create or replace function search_lexemes(item_type int, first_line text, second_line text, keys text[])
    returns tsvector language plpgsql immutable parallel safe as $$
    begin
      return array_to_tsvector(array_remove(array_remove(
        %1$s.word_lexemes(item_type::text, %1$s.fold_text(first_line)) || keys || array[
          item_type::text || 'n:' || left(%1$s.fold_text(first_line), 200),
          item_type::text || 'r:' || left(%1$s.compact_of(second_line), 100)], item_type::text || 'w:'), null));
    end $$
  $sql$, place);
end
$migration$;

-- One row for everything a user can find, open, make a favorite or write a note about. An item belongs to a debtor or to
-- a party, which decides who may see it.
create table item (
  guid uuid primary key,
  type int not null check (type between 1 and 9),
  primary_description text not null,
  secondary_description text,
  debtor_id uuid,
  party_id uuid,
  search_keys text[] not null default '{}',
  lexemes tsvector not null
    generated always as (search_lexemes(type, primary_description, secondary_description, search_keys)) stored
);
-- A short pending list: writers merge it early, so that a search scans few entries one by one.
create index item_lexemes on item using gin (lexemes) with (gin_pending_list_limit = 256);
-- For lookups: items by name and by part of a word. Debtors (type 3) have such indexes on their own table.
create index item_name_order on item (type, primary_description collate fordra_order, guid) where type <> 3;
create index item_part on item
  using gin (fold_text(primary_description || ' ' || coalesce(secondary_description, '')) gin_trgm_ops) where type <> 3;

-- Every word that an item's lines or keys have contained, to correct typing errors. A word that two transactions add at
-- the same time is stored twice, so that neither waits for the other.
create table search_word (word text not null);
create index search_word_word on search_word (word text_pattern_ops);
create index search_word_part on search_word using gin (word gin_trgm_ops);

create table favorite (
  id uuid primary key,
  user_id uuid not null references app_user,
  position int not null,
  type int not null check (type between 0 and 9),
  target uuid,
  url text,
  sub_type text,
  primary_description text,
  secondary_description text,
  check ((type = 0) = (target is null))
);
create index favorite_position on favorite (user_id, position);
create unique index favorite_target on favorite (user_id, type, target) where target is not null;

-- A note about an item.
create table note (
  id uuid primary key,
  item_guid uuid not null references item,
  text text not null,
  created_at timestamptz not null default now(),
  created_by uuid,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1
);
create index note_item on note (item_guid, id);
