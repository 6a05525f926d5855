-- Whether a service marked the address as not valid: a person who says otherwise overrules it.
alter table address add column marked_by_service boolean not null default false;

-- A payment of a bank file that names several references with their amounts: one row for each.
create table payment_file_part (
  entry_id uuid not null references payment_file_entry (id),
  number integer not null,
  reference text not null,
  amount bigint not null check (amount > 0),
  payment_id uuid references payment (id),
  reason text,
  primary key (entry_id, number)
);
create index payment_file_part_payment on payment_file_part (payment_id) where payment_id is not null;

-- What a return names of the payment that it takes back: digests of the identity that its entry has, and the payer's own
-- end-to-end identification.
alter table payment_file_entry add column end_to_end_id text, add column originals bytea[];
create index payment_file_entry_return on payment_file_entry (file_id, number)
  where reason = 'REVERSAL' and payment_id is null;
create index payment_file_entry_taken_back on payment_file_entry (identity)
  where reason = 'REVERSAL' and payment_id is not null;
create index payment_file_entry_credit on payment_file_entry (account, amount) where outcome in ('BOOKED', 'SUSPENSE');

-- Divided money in suspense has a row for each part; the parts have the entry of the whole.
alter table suspense drop constraint suspense_entry_id_key;
alter table suspense add column divided_from uuid references suspense (id);
create index suspense_entry on suspense (entry_id);
