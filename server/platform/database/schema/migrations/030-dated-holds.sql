-- Holds with a first and a last day, and interest pauses as movements of the ledger.

alter table debt_case
  -- Names the movements of the hold's interest pause (`details.hold`).
  add column hold_id uuid,
  add column hold_from date,
  -- The last day of the hold. The day-end lifts it after that day. Null: until it is lifted by hand.
  add column hold_until date,
  add constraint debt_case_hold_days check (hold_until >= hold_from);
create index debt_case_hold_until on debt_case (hold_until, id) where hold_until is not null;

alter table movement drop constraint movement_kind_check;
alter table movement add constraint movement_kind_check check (kind in ('payment', 'thirdPartyPayment', 'creditUse', 'refund',
  'fee', 'writeOff', 'creditNote', 'claim', 'terms', 'close', 'reopen', 'pause', 'resume', 'reversal'));
