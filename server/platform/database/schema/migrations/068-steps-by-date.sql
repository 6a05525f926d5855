-- A night's later rounds walk along the cases that a step has touched on the date (decision 0283).
create index strategy_step_taken_date on strategy_step_taken (business_date, case_id);
