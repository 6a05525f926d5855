-- All triggers, with their functions.
--
-- | trigger                        | reason                                                                            |
-- | ------------------------------ | --------------------------------------------------------------------------------- |
-- | audit_entry_append_only        | Nobody changes the audit trail; only `feed_xid` may change, after a restore.      |
-- | audit_seal_append_only         | Nobody changes a seal of the audit trail.                                         |
-- | invoice_append_only            | The ledger was derived from the invoice.                                          |
-- | movement_append_only           | The ledger was derived from the movement; a mistake is reversed.                  |
-- | ledger_transaction_append_only | Bookkeeping: a booking stays, a mistake is reversed.                              |
-- | ledger_entry_append_only       | The same.                                                                         |
-- | trust_transaction_append_only  | The same, in the trust ledger.                                                    |
-- | trust_entry_append_only        | The same, in the trust ledger.                                                    |
-- | payout_append_only             | The bank has been told to pay it.                                                 |
-- | payment_stays                  | A payment is never deleted.                                                       |
-- | payment_unchanged              | A payment stays as received; it is marked as reversed at most once.               |
-- | document_unchanged             | A letter stays as created; its PDF is added once.                                 |
-- | ledger_transaction_balanced    | A transaction is inserted with its entries, which sum to zero.                    |
-- | ledger_entry_applied           | The entries sum to zero, and the balances of the case equal their entries.        |
-- | trust_entry_balanced           | The entries of a trust transaction sum to zero.                                   |
-- | debtor_inserted                | Keeps the row count and the change counter of the list of debtors.                |
-- | debtor_deleted                 | The same.                                                                         |
-- | debtor_updated                 | The same; a remembered total of a filtered list is then void.                     |
-- | case_debtor_changed            | The same, for callers who see a debtor because of a case.                         |
-- | case_debtor_named              | Copies the debtor's name, by which a client's debtors are ordered.                |
-- | debtor_renamed                 | Keeps these copies up to date.                                                    |
-- | item_inserted                  | Keeps the words by which a search corrects typing errors.                         |
-- | item_updated                   | The same.                                                                         |
-- | debt_case_status_since         | Notes the date from which the days until the next collection step are counted.    |
-- | reference_rate_changed         | Tells other nodes to reload the rates.                                            |

-- Append-only tables

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger audit_entry_append_only before update of position, xid, occurred_at, business_date, actor_id, request_id,
  operation, action, entity, entity_id, subject, changes, id, type, version, sequence, data or delete or truncate
  on audit_entry for each statement execute function refuse_change();
create trigger audit_seal_append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_change();
create trigger invoice_append_only before update or delete or truncate on invoice
  for each statement execute function refuse_change();
create trigger movement_append_only before update or delete or truncate on movement
  for each statement execute function refuse_change();
create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
  for each statement execute function refuse_change();
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger trust_transaction_append_only before update or delete or truncate on trust_transaction
  for each statement execute function refuse_change();
create trigger trust_entry_append_only before update or delete or truncate on trust_entry
  for each statement execute function refuse_change();
create trigger payout_append_only before update or delete or truncate on payout
  for each statement execute function refuse_change();

-- Rows that change in one way only

create trigger payment_stays before delete or truncate on payment for each statement execute function refuse_change();

create function guard_payment() returns trigger language plpgsql as $$
begin
  if old.reversed_date is not null or (old.currency_code, old.amount, old.value_date, old.registered_date,
      old.to_third_party, old.debtor_id) is distinct from
      (new.currency_code, new.amount, new.value_date, new.registered_date, new.to_third_party, new.debtor_id)
      or old.payer_reference is distinct from new.payer_reference then
    raise exception 'a payment does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payment_unchanged before update on payment for each row execute function guard_payment();

create function guard_document() returns trigger language plpgsql as $$
begin
  if old.content is not null or (to_jsonb(old) - 'content') <> (to_jsonb(new) - 'content') then
    raise exception 'a document does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger document_unchanged before update on document for each row execute function guard_document();

-- Balanced books

-- A transaction and all its entries are inserted by one statement.
create function check_transactions() returns trigger language plpgsql as $$
begin
  if exists (
    select from new_rows n
    where coalesce((select sum(e.amount) from ledger_entry e where e.transaction_id = n.id), 1) <> 0
  ) then
    raise exception 'a transaction has no entries, or they do not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_transaction_balanced after insert on ledger_transaction referencing new table as new_rows
  for each statement execute function check_transactions();

-- A booking writes the balances of its cases together with its entries. After each statement the balances must equal
-- the sums of all entries with a value date up to the business date.
create function apply_entries() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  if exists (
    select from (select transaction_id, sum(amount) as amount, count(*) as lines from new_rows group by 1) n
    where n.amount <> 0
      or n.lines <> (select count(*) from ledger_entry e where e.transaction_id = n.transaction_id)
  ) then
    raise exception 'the entries of a transaction come together and sum to zero' using errcode = 'check_violation';
  end if;
  if exists (
    select
    from (
      select distinct (select t.case_id from ledger_transaction t where t.id = n.transaction_id) as id
      from (select distinct transaction_id from new_rows) n
    ) touched
    join debt_case c on c.id = touched.id
    cross join lateral (
      select coalesce(sum(l.original_principal), 0) as original_principal,
        coalesce(sum(l.original_interest), 0) as original_interest, coalesce(sum(l.original_fee), 0) as original_fee,
        coalesce(sum(l.added_interest), 0) as added_interest, coalesce(sum(l.added_fee), 0) as added_fee,
        coalesce(sum(l.paid_principal), 0) as paid_principal, coalesce(sum(l.paid_interest), 0) as paid_interest,
        coalesce(sum(l.paid_fee), 0) as paid_fee, coalesce(sum(l.paid_to_third_party), 0) as paid_to_third_party,
        coalesce(sum(l.written_off_principal), 0) as written_off_principal,
        coalesce(sum(l.written_off_interest), 0) as written_off_interest,
        coalesce(sum(l.written_off_fee), 0) as written_off_fee, coalesce(sum(l.credit), 0) as credit
      from ledger_line l
      where l.case_id = c.id and l.value_date <= (select business_date from business_clock)
    ) s
    where (c.original_principal, c.original_interest, c.original_fee, c.added_interest, c.added_fee, c.paid_principal,
        c.paid_interest, c.paid_fee, c.paid_to_third_party, c.written_off_principal, c.written_off_interest,
        c.written_off_fee, c.credit)
      <> (s.original_principal, s.original_interest, s.original_fee, s.added_interest, s.added_fee, s.paid_principal,
        s.paid_interest, s.paid_fee, s.paid_to_third_party, s.written_off_principal, s.written_off_interest,
        s.written_off_fee, s.credit)
  ) then
    raise exception 'the amounts of a case are not what its entries sum to' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_applied after insert on ledger_entry referencing new table as new_rows
  for each statement execute function apply_entries();

create function check_trust_entries() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct transaction_id as id from new_rows) n
    where (select sum(e.amount) from trust_entry e where e.transaction_id = n.id) <> 0
  ) then
    raise exception 'the entries of a transaction come together and sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger trust_entry_balanced after insert on trust_entry referencing new table as new_rows
  for each statement execute function check_trust_entries();

-- List totals

-- A slot of list_total that no other open transaction holds, if possible the backend's own. Up to 32 writers wait for
-- nobody.
create function take_list_slot() returns int language plpgsql as $$
declare
  own int := pg_backend_pid() % 32;
begin
  for step in 0..31 loop
    if pg_try_advisory_xact_lock(7240032, (own + step) % 32) then
      return (own + step) % 32;
    end if;
  end loop;
  perform pg_advisory_xact_lock(7240032, own);
  return own;
end $$;

create function count_list_change() returns trigger language plpgsql as $$
declare
  delta bigint := 0;
  taken int := take_list_slot();
begin
  if tg_op = 'INSERT' then
    select count(*) into delta from new_rows;
  elsif tg_op = 'DELETE' then
    select -count(*) into delta from old_rows;
  end if;
  update list_total set rows = rows + delta, changes = changes + 1 where entity = tg_table_name and slot = taken;
  return null;
end $$;
create trigger debtor_inserted after insert on debtor referencing new table as new_rows
  for each statement execute function count_list_change();
create trigger debtor_deleted after delete on debtor referencing old table as old_rows
  for each statement execute function count_list_change();
-- `version` changes with every member of the record, `city` with the copy of the address.
create trigger debtor_updated after update of version, city, under_aged on debtor
  for each statement execute function count_list_change();

create function touch_debtor_list() returns trigger language plpgsql as $$
declare
  taken int := take_list_slot();
begin
  update list_total set changes = changes + 1 where entity = 'debtor' and slot = taken;
  return null;
end $$;
create trigger case_debtor_changed after insert or update or delete on case_debtor
  for each statement execute function touch_debtor_list();

-- Copies

-- Adding a debtor to a case waits for a concurrent renaming, and the other way round (`for share`).
create function name_case_debtor() returns trigger language plpgsql as $$
begin
  select full_name into new.full_name from debtor where id = new.debtor_id for share;
  return new;
end $$;
create trigger case_debtor_named before insert on case_debtor for each row execute function name_case_debtor();

create function rename_case_debtor() returns trigger language plpgsql as $$
begin
  update case_debtor set full_name = new.full_name where debtor_id = new.id;
  return null;
end $$;
create trigger debtor_renamed after update on debtor
  for each row when (old.full_name is distinct from new.full_name) execute function rename_case_debtor();

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
create trigger item_inserted after insert on item referencing new table as new_rows
  for each statement execute function keep_search_words();
create trigger item_updated after update on item referencing new table as new_rows
  for each statement execute function keep_search_words();

-- Dates and versions

-- A case enters a place when it moves there, when a hold ends, and when it is reopened.
create function note_status_since() returns trigger language plpgsql as $$
begin
  if (old.place_status, old.place_sub_status) is distinct from (new.place_status, new.place_sub_status)
      or (old.hold is not null and new.hold is null) or (old.closure_code is not null and new.closure_code is null) then
    new.status_since := (select business_date from business_clock);
  end if;
  return new;
end $$;
create trigger debt_case_status_since before update of place_status, place_sub_status, hold, closure_code on debt_case
  for each row execute function note_status_since();

create function renew_reference_version() returns trigger language plpgsql as $$
begin
  update reference_version set version = gen_random_uuid();
  return null;
end $$;
create trigger reference_rate_changed after insert or update or delete or truncate on reference_rate
  for each statement execute function renew_reference_version();
