-- In a sandbox a request ends whose bank file was not copied.
alter table approval drop constraint approval_end_reason_check;
alter table approval add constraint approval_end_reason_check
  check (end_reason in ('FILE_EXPIRED', 'PERSON_ERASED', 'FILE_NOT_COPIED'));
