-- When the payments of a plan fall due, and how its rounding and late payment are settled. Plans until now have none of it.

alter table payment_plan
  add column asked_first_due date,
  add column counted_from date,
  add column pay_day integer check (pay_day between 1 and 31),
  add column due_country text,
  add column even_payments boolean not null default false,
  add column closing_payment boolean not null default false;

-- A client's own settings of new plans. Null inherits.
alter table party
  add column plan_business_days boolean,
  add column plan_even_payments boolean,
  add column plan_closing_payment boolean;
