-- What clients are owed was summed over all that is not paid out, case by case, for each look at the payouts due. The sums
-- of each client are now kept for the rows that are counted, and a look adds the few that are not yet (decision 0292). A
-- payment still only inserts a row: payments on one client's cases do not wait for each other.
alter table held_money add column counted boolean not null default false;
create index held_money_uncounted on held_money (case_id) where not counted;

-- Sums of the counted rows, of which a case has at most one.
create table held_total (
  client_id uuid not null references party,
  currency_code text not null,
  amount bigint not null,
  cases int not null check (cases >= 0),
  -- The latest that was ever counted.
  counts_from date not null,
  primary key (client_id, currency_code)
);
