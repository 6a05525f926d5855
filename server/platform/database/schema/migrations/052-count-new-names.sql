-- A remembered total of debtors was dropped by every change of any debtor. What matches by name alone changes only when
-- debtors come, go or are renamed, and what a restricted user sees when debtors of cases change: these are counted apart.
alter table list_total add column name_changes bigint not null default 0;

create or replace function count_list_change() returns trigger language plpgsql as $$
declare
  delta bigint := 0;
  taken int := take_list_slot();
begin
  if tg_op = 'INSERT' then
    select count(*) into delta from new_rows;
  elsif tg_op = 'DELETE' then
    select -count(*) into delta from old_rows;
  end if;
  update list_total set rows = rows + delta, changes = changes + 1,
      name_changes = name_changes + case when tg_op = 'UPDATE' then 0 else 1 end
    where entity = tg_table_name and slot = taken;
  return null;
end $$;

-- A renamed debtor is renamed in case_debtor too, whether or not it has a case there: so a change of names runs this.
create or replace function touch_debtor_list() returns trigger language plpgsql as $$
declare
  taken int := take_list_slot();
begin
  update list_total set changes = changes + 1, name_changes = name_changes + 1 where entity = 'debtor' and slot = taken;
  return null;
end $$;
