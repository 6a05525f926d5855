-- Bank files and their entries, suspense, payouts to clients, and the trust ledger of these three. Amounts are in minor
-- units.

create table payment_file (
  id uuid primary key,
  format text not null check (format in ('CAMT053', 'CAMT054', 'BGMAX', 'OCRGIRO')),
  file_name text,
  -- The sender's own name for it.
  message_id text,
  -- Of its bytes: the same file is accepted once.
  sha256 bytea not null unique,
  bytes bigint not null,
  business_date date not null,
  received_at timestamptz not null default now(),
  received_by uuid,
  -- Null while entries are waiting.
  posted_at timestamptz,
  entries int not null,
  -- Entries by outcome; the rest are waiting.
  booked int not null default 0,
  suspended int not null default 0,
  already_there int not null default 0,
  not_booked int not null default 0,
  event_sequence bigint not null default 0,
  check (booked + suspended + already_there + not_booked <= entries)
) with (fillfactor = 50);
create index payment_file_received_at on payment_file (received_at);

create table payment_file_entry (
  id uuid primary key,
  file_id uuid not null references payment_file,
  -- Within the file, from 1 on.
  number int not null,
  -- A hash of the members that make it the same entry in another file.
  identity bytea not null,
  account text not null,
  currency_code text not null,
  minor_per_unit int not null,
  -- Without a sign.
  amount bigint not null check (amount >= 0),
  booking_date date,
  value_date date,
  -- Fields that are references, and words of the message that may be.
  payment_references text[] not null,
  words text[] not null,
  payer_name text,
  message text,
  outcome text not null check (outcome in ('WAITING', 'BOOKED', 'SUSPENSE', 'ALREADY_THERE', 'NOT_BOOKED')),
  -- Why it is in suspense or not booked.
  reason text,
  payment_id uuid references payment,
  unique (file_id, number)
) with (fillfactor = 70);
-- Only entries that count: one that was pending comes again when the bank books it.
create unique index payment_file_entry_identity on payment_file_entry (identity)
  where outcome in ('WAITING', 'BOOKED', 'SUSPENSE');
create index payment_file_entry_waiting on payment_file_entry (file_id, number) where outcome = 'WAITING';
create index payment_file_entry_payment on payment_file_entry (payment_id) where payment_id is not null;

-- Money received that is not yet allocated to a case.
create table suspense (
  id uuid primary key,
  entry_id uuid not null unique references payment_file_entry,
  currency_code text not null,
  minor_per_unit int not null,
  amount bigint not null check (amount > 0),
  value_date date not null,
  reason text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'ALLOCATED', 'REFUNDED')),
  payment_id uuid references payment,
  settled_date date,
  settled_by uuid,
  -- Why it was refunded, and to whom.
  note text,
  version int not null default 1,
  event_sequence bigint not null default 0,
  check ((status = 'OPEN') = (settled_date is null)),
  check ((status = 'ALLOCATED') = (payment_id is not null))
);
create index suspense_open on suspense (value_date, id) where status = 'OPEN';
create index suspense_payment on suspense (payment_id) where payment_id is not null;

-- Payouts to clients in one currency: one file for the bank, kept as it was created.
create table payout_batch (
  id uuid primary key,
  number bigint generated always as identity unique,
  currency_code text not null,
  minor_per_unit int not null,
  business_date date not null,
  execution_date date not null,
  account text not null,
  amount bigint not null check (amount > 0),
  payouts int not null check (payouts > 0),
  content text not null,
  created_at timestamptz not null default now(),
  created_by uuid,
  event_sequence bigint not null default 0
);
create table payout (
  id uuid primary key,
  batch_id uuid not null references payout_batch,
  -- Within the batch, from 1 on.
  number int not null,
  client_id uuid not null references party,
  account text not null,
  amount bigint not null check (amount > 0),
  unique (batch_id, number),
  unique (batch_id, client_id)
);

-- The trust ledger, beside the ledgers of the cases: double entry, debit above zero.
create table trust_transaction (
  id uuid primary key,
  kind text not null check (kind in ('suspense', 'suspenseAllocation', 'suspenseReturn', 'suspenseRefund', 'payout')),
  currency_code text not null,
  value_date date not null,
  booked_date date not null,
  suspense_id uuid references suspense,
  payout_id uuid unique references payout,
  check ((kind = 'payout') = (payout_id is not null)),
  check ((kind = 'payout') = (suspense_id is null))
);
create index trust_transaction_suspense on trust_transaction (suspense_id) where suspense_id is not null;
-- Money enters suspense once and is refunded once. It may be allocated again after a reversal.
create unique index trust_transaction_suspense_once on trust_transaction (suspense_id, kind)
  where kind in ('suspense', 'suspenseRefund');
create table trust_entry (
  transaction_id uuid not null references trust_transaction,
  line int not null,
  account text not null check (account in ('bank', 'suspense', 'client')),
  -- Of the account `client`: the case whose money was paid out.
  case_id uuid references debt_case,
  amount bigint not null check (amount <> 0),
  primary key (transaction_id, line),
  check ((account = 'client') = (case_id is not null))
);
create index trust_entry_case on trust_entry (case_id) where case_id is not null;

-- The client's share of the money received per case, for value dates up to the given date. The client gets all principal
-- and interest, and costs up to what it registered with the case; costs above that are the agency's. Money paid to a
-- third party is not counted, because the agency never received it.
create function client_money(until date) returns table (case_id uuid, client_id uuid, currency_code text, received bigint,
  clients_share bigint, paid_out bigint) language sql stable as $$
  select c.id, c.client_id, c.currency_code, l.principal + l.interest + l.cost,
    l.principal + l.interest + least(l.cost, l.registered_cost), coalesce(p.paid_out, 0)
  from (
    select t.case_id,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:principal' and k.paying), 0)::bigint as principal,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:interest' and k.paying), 0)::bigint as interest,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:cost' and k.paying), 0)::bigint as cost,
      coalesce(-sum(e.amount) filter (where e.account = 'claim:cost'), 0)::bigint as registered_cost
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id,
      lateral (select t.kind in ('payment', 'creditUse') as paying) k
    where t.value_date <= until and (k.paying or e.account = 'claim:cost')
    group by t.case_id
  ) l join debt_case c on c.id = l.case_id
  left join (
    select e.case_id, sum(e.amount)::bigint as paid_out from trust_entry e join trust_transaction t on t.id = e.transaction_id
    where e.account = 'client' and t.value_date <= until group by e.case_id
  ) p on p.case_id = c.id
$$;
