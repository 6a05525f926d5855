-- The list of all cases knows its total, and remembers the totals of filters while nothing changes. A filter may name
-- the client or the main debtor, so changes of parties are counted too; those of debtors already are.
--
-- | trigger            | reason                                                               |
-- | ------------------ | -------------------------------------------------------------------- |
-- | debt_case_inserted | Keeps the row count and the change counter of the list of all cases. |
-- | debt_case_deleted  | The same.                                                            |
-- | debt_case_updated  | The same; a remembered total of a filtered list is then void.        |
-- | party_updated      | The same, for filters that name the client.                          |

insert into list_total (entity, slot) select 'debt_case', slot from generate_series(0, 31) slot;
insert into list_total (entity, slot) select 'party', slot from generate_series(0, 31) slot;
update list_total set rows = (select count(*) from debt_case) where entity = 'debt_case' and slot = 0;

create trigger debt_case_inserted after insert on debt_case referencing new table as new_rows
  for each statement execute function count_list_change();
create trigger debt_case_deleted after delete on debt_case referencing old table as old_rows
  for each statement execute function count_list_change();
create trigger debt_case_updated after update on debt_case
  for each statement execute function count_list_change();
create trigger party_updated after update on party
  for each statement execute function count_list_change();

-- The worklist sorted by status.
create index debt_case_status_order on debt_case (status collate fordra_order nulls first, id);

-- Debtors sorted by zip code or date of birth, and found by either.
create index debtor_zip_code_order on debtor (zip_code collate fordra_order nulls first, id);
drop index debtor_date_of_birth;
create index debtor_date_of_birth on debtor (date_of_birth nulls first, id);
