-- Whether due dates were agreed in advance (AGREED), so that late interest runs from them, or stand on the invoice alone (INVOICE).
-- Until now every due date counted as agreed (decision 0312).
alter table party add column due_date_basis text;
alter table debt_case add column due_date_basis text not null default 'AGREED';

-- The rule of law by which interest begins on the invoice. Null: the due date, or a day that somebody gave.
alter table invoice add column interest_start_rule text;
