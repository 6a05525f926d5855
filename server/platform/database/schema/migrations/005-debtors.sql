-- Debtors, their addresses and extra fields.

create sequence debtor_reference_number start 100001;

-- A number with its Luhn check digit (ISO/IEC 7812-1 annex B) appended.
create function with_luhn_digit(n bigint) returns text language plpgsql immutable strict parallel safe as $$
declare
  digits text := n::text;
  sum int := 0;
  digit int;
begin
  for i in 1..length(digits) loop
    digit := substr(digits, length(digits) + 1 - i, 1)::int;
    if i % 2 = 1 then
      digit := digit * 2;
      if digit > 9 then digit := digit - 9; end if;
    end if;
    sum := sum + digit;
  end loop;
  return digits || ((10 - sum % 10) % 10)::text;
end $$;

create table debtor (
  id uuid primary key,
  debtor_reference text not null default with_luhn_digit(nextval('debtor_reference_number')),
  id_number text,
  -- The country whose rules validated the identity number.
  id_country_code text,
  -- 0; from 1 on for a duplicate that the caller asked for.
  duplicate_number int not null default 0,
  juridical_type int,
  place_of_birth text,
  date_of_birth timestamptz,
  -- As of the business date; updated in the transaction that changes the date.
  under_aged boolean,
  gender int,
  culture_code text,
  full_name text not null,
  firstname text,
  middlename text,
  lastname text,
  name_suffix text,
  domicile text,
  municipal_code text,
  vat_number text,
  nace_code text,
  home_phone text,
  work_phone text,
  cellular_phone text,
  telefax text,
  email text,
  language_code text,
  currency_code text,
  preferred_channel text,
  conversation_notification_channel int,
  conversation_notification_email text,
  conversation_notification_cellular_phone text,
  reg_date timestamptz not null,
  -- A copy of the default address valid on the business date, so that lists read one table.
  street text,
  house_no text,
  house_no_extension text,
  city text,
  zip_code text,
  state_code text,
  country_code text,
  created_by_party_id uuid references party,
  -- The reference in the source it was imported from.
  source_reference text,
  version int not null default 1,
  event_sequence bigint not null default 1,
  -- Values of custom fields by field code; a field without a value is absent. Filters and indexes use expressions.
  custom jsonb not null default '{}'
) with (fillfactor = 90);
create unique index debtor_reference on debtor (debtor_reference);
create unique index debtor_id_number on debtor (id_number, id_country_code, duplicate_number) where id_number is not null;
create unique index debtor_source_reference on debtor (source_reference) where source_reference is not null;
create index debtor_full_name_order on debtor (full_name collate fordra_order nulls first, id);
create index debtor_full_name_prefix on debtor (full_name text_pattern_ops);
create index debtor_city_full_name on debtor (city, full_name text_pattern_ops);
create index debtor_full_name_part on debtor using gin (full_name gin_trgm_ops);
create index debtor_city_order on debtor (city collate fordra_order nulls first, id);
create index debtor_email on debtor (email) where email is not null;
create index debtor_cellular_phone on debtor (cellular_phone) where cellular_phone is not null;
create index debtor_date_of_birth on debtor (date_of_birth) where date_of_birth is not null;
create index debtor_created_by_party on debtor (created_by_party_id, full_name collate fordra_order nulls first, id);
create index debtor_reference_part on debtor using gin (debtor_reference gin_trgm_ops);

-- Search keys of a debtor besides name and reference. `i:` the identity number, also without the century as spoken in
-- Sweden; `p:` the digits of each phone; `e:` each e-mail address; and the words before the @ of the e-mail address.
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

create table address (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  address_type text not null,
  full_name text,
  street text,
  house_no text,
  house_no_extension text,
  city text,
  zip_code text,
  state_code text,
  country_code text,
  full_address text,
  address_not_valid_date timestamptz,
  default_address boolean not null,
  valid_from timestamptz,
  valid_to timestamptz,
  validated_at timestamptz,
  last_updated_at timestamptz not null,
  valid_override boolean not null default false,
  version int not null default 1,
  custom jsonb not null default '{}',
  check (valid_to >= valid_from)
);
create index address_debtor on address (debtor_id, id);
create unique index address_default on address (debtor_id) where default_address;
create index address_default_from on address (valid_from) where default_address and valid_from is not null;
create index address_default_to on address (valid_to) where default_address and valid_to is not null;
create index address_default_not_valid on address (address_not_valid_date)
  where default_address and address_not_valid_date is not null;

create table extra_field (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  name text not null,
  value text[] not null,
  version int not null default 1
);
create unique index extra_field_name on extra_field (debtor_id, lower(name));
