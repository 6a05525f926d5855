-- A held bank file outlives the user who sent it: its request is decided by others.
alter table held_payment_file drop constraint held_payment_file_held_by_fkey;

-- A request can end without a decision of a person: what it is about is gone.
alter table approval drop constraint approval_status_check;
alter table approval add constraint approval_status_check check (
  status in ('WAITING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'ENDED'));
alter table approval drop constraint approval_check1;
alter table approval add constraint approval_check1 check ((status in ('WAITING', 'ENDED')) = (decided_by is null));
alter table approval add column end_reason text check (end_reason in ('FILE_EXPIRED', 'PERSON_ERASED'));
alter table approval add constraint approval_ended check ((status = 'ENDED') = (end_reason is not null));

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind in (
  'ASSIGNED', 'MENTION', 'APPROVAL_WAITING', 'APPROVED', 'REJECTED', 'ENDED', 'JOB_DONE', 'JOB_FAILED', 'PROMISE_DUE',
  'PROMISE_BROKEN'));
