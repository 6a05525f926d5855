-- Registering cases does the same with less work of the database (decision 0315).

-- The clients of the new cases' debtors are added by one statement, in the order of the items: a statement for each debtor took
-- 28 µs more. Items that name the client already are not held.
create or replace function add_item_clients() returns trigger language plpgsql as $$
begin
  with wanted as (
    select debtor_id, array_agg(distinct client_search_key(client_id)) as keys from new_rows group by debtor_id
  ),
  held as (
    select i.guid, w.keys from wanted w join item i on i.guid = w.debtor_id
    where not i.search_keys @> w.keys order by i.guid for no key update of i
  )
  update item i set search_keys = array_remove(i.search_keys, '3c:')
    || case when cardinality(h.keys) = 1 then h.keys else array(select key from unnest(h.keys) key where key <> all (i.search_keys)) end
  from held h where i.guid = h.guid;
  return null;
end $$;

-- A client that is added to a debtor's item brings no word.
drop trigger item_updated on item;
create trigger item_updated after update on item for each row
  when (old.lexemes is distinct from new.lexemes and pg_trigger_depth() = 0) execute function keep_added_search_words();

-- The main debtor is one of the case's debtors, which the other key says, and these refer to the debtor.
alter table debt_case drop constraint debt_case_main_debtor_id_fkey;
