-- The dashboard's cost per case reads letters, calls and closed cases of some months by their dates.
create index document_business_date on document (business_date) include (id, case_id);
create index phone_call_business_date on phone_call (business_date) include (case_id);
create index debt_case_closure_date on debt_case (closure_date) where closure_date is not null;
-- Outlays alone: a year has a thousand times as many other movements.
create index movement_outlay on movement (value_date)
  where kind = 'fee' and details ->> 'feeType' in ('courtCost', 'enforcementCost');
