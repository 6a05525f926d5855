-- A letter about a payment plan, with its schedule.
alter table document
  drop constraint document_kind_check,
  add constraint document_kind_check
    check (kind in ('statement', 'reminder', 'notice', 'demand', 'legal', 'surveillance', 'plan'));
