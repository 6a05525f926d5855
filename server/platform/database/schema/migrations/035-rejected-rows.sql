-- The rejected rows of an import as the file has them, beside the report of their reasons.
alter table uploaded_part drop constraint uploaded_part_kind_check;
alter table uploaded_part add constraint uploaded_part_kind_check
  check (kind in ('content', 'rejected', 'rejected-rows'));
