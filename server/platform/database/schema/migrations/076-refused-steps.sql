-- A night no longer walks along the steps of a date: each stretch looks again at the debtors that it touched (decision 0286).
-- What is left to be found by date are the refused steps of a sandbox's night, which are few.
drop index strategy_step_taken_date;
create index strategy_step_refused on strategy_step_taken (business_date) where refused is not null;
