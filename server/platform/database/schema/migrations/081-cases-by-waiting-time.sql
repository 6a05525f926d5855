-- A night reads the cases that have waited long enough for a step of their status, and no others (decision 0306).
drop index debt_case_status;
create index debt_case_status on debt_case (status, sub_status, coalesce(status_since, registration_date), id);
