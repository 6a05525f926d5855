-- Costs that a case brings with it, held to the ceilings of the law.

-- `opening_fee` is what is demanded, court costs included. `withheld_fee` is what the law does not let the debtor pay.
alter table debt_case
  add column opening_court_costs bigint not null default 0 check (opening_court_costs >= 0),
  add column opening_fee_type text,
  add column opening_fee_date date,
  add column withheld_fee bigint not null default 0 check (withheld_fee >= 0);

alter table import_run add column withheld bigint not null default 0;
