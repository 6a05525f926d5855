-- Lists sort nulls first and end with the key: an index serves such an order only when it says the same, even where a
-- column has no nulls. The indexes had the columns already, but not in that order.
drop index debt_case_client;
create index debt_case_client on debt_case (client_id nulls first, id);
drop index debt_case_main_debtor;
create index debt_case_main_debtor on debt_case (main_debtor_id nulls first, id);
-- `case_id` is read by the accrual, which looks for the cases of some days.
drop index movement_value_date;
create index movement_value_date on movement (value_date nulls first, id) include (case_id);
