-- A search by a user restricted to a small client looked at every debtor that has a common word until it found a visible
-- one. A debtor's item now names the clients that have a case of the debtor, so that the index finds word and client at
-- once (decision 0291). Who may see a debtor is decided by its cases as before: a key too many does no harm.

-- `3c:` and the end of the client's id. `3c:` alone says that the debtor may have no case: its own party then sees it.
create function client_search_key(client_id uuid) returns text language sql immutable parallel safe as $$
  select '3c:' || right(client_id::text, 12)
$$;

-- As before, and as a debtor without a case.
create or replace function debtor_search_keys(d debtor) returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    '3c:',
    '3i:' || compact_of(d.id_number),
    case when d.id_number ~ '^(19|20)[0-9]{6}-' then '3i:' || substr(compact_of(d.id_number), 3) end,
    '3p:' || ltrim(split_part(d.home_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.work_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.cellular_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.conversation_notification_cellular_phone, ' ', 1), '+'),
    '3e:' || lower(d.email),
    '3e:' || lower(d.conversation_notification_email)], null) || word_lexemes('3', fold_text(split_part(d.email, '@', 1)))
$$;

-- The keys of the clients with a case of the debtor, or `3c:` alone.
create function debtor_client_keys(debtor uuid) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct client_search_key(c.client_id)), array['3c:'])
  from case_debtor c where c.debtor_id = debtor
$$;

-- By key, one after the other and in one order, so that two transactions do not wait for each other.
create function add_item_clients() returns trigger language plpgsql as $$
declare
  pair record;
begin
  for pair in
    select distinct debtor_id, client_search_key(client_id) as client from new_rows order by debtor_id, client
  loop
    update item set search_keys = array_remove(search_keys, '3c:') || pair.client
    where guid = pair.debtor_id and not search_keys @> array[pair.client];
  end loop;
  return null;
end $$;

-- The debtor may have no case left. Clients are not taken back: another transaction may just have made a case of theirs.
create function doubt_item_clients() returns trigger language plpgsql as $$
begin
  update item set search_keys = search_keys || '3c:'::text
  where guid in (select debtor_id from old_rows) and not search_keys @> array['3c:'];
  return null;
end $$;

-- A change of the debtor writes the keys of its members and knows no clients.
create function keep_item_clients() returns trigger language plpgsql as $$
declare
  clients text[] := array(
    select key from unnest(old.search_keys) key where key like '3c:_%' and key <> all (new.search_keys));
begin
  if clients <> '{}' then
    if not old.search_keys @> array['3c:'] then
      new.search_keys := array_remove(new.search_keys, '3c:');
    end if;
    new.search_keys := new.search_keys || clients;
  end if;
  return new;
end $$;

-- | trigger | reason |
-- | case_debtor_added | The debtor's item names the client of the new case, whichever program makes it. |
-- | case_debtor_removed | The debtor may have no case left, so that its own party sees it again. |
-- | item_clients | The keys of a changed debtor keep the clients, also where an earlier program writes them. |
create trigger case_debtor_added after insert on case_debtor
  referencing new table as new_rows for each statement execute function add_item_clients();
create trigger case_debtor_removed after delete on case_debtor
  referencing old table as old_rows for each statement execute function doubt_item_clients();
create trigger item_clients before update on item for each row
  when (new.type = 3 and new.search_keys is distinct from old.search_keys and pg_trigger_depth() = 0)
  execute function keep_item_clients();

update item i set search_keys = i.search_keys || coalesce(known.keys, array['3c:'])
from debtor d left join (
  select debtor_id, array_agg(distinct client_search_key(client_id)) as keys from case_debtor group by debtor_id
) known on known.debtor_id = d.id
where i.guid = d.id and i.type = 3;
