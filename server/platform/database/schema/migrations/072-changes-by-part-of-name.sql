-- Each new debtor dropped every remembered total of a filter by name. Names are now counted by what they are made of too:
-- three letters in a row belong to one of 61 counters. A filter by a part of the name depends on all counters of its
-- letters, so while one of them stands still nothing that it finds has come or gone (decision 0292).
alter table list_total add column name_parts int[] not null default array_fill(0, array[61]);

-- The counters with the names counted in. Of many names at once all counters move: that takes less than to look at each.
-- `name-parts.ts` computes the same numbers.
create function add_name_parts(counts int[], names text[]) returns int[] language plpgsql immutable parallel safe as $$
declare
  part int;
begin
  if cardinality(names) > 100 then
    return array(select n + 1 from unnest(counts) with ordinality c (n, place) order by place);
  end if;
  for part in
    select distinct (ascii(substr(name, n, 1)) * 961 + ascii(substr(name, n + 1, 1)) * 31
      + ascii(substr(name, n + 2, 1))) % 61 + 1
    from unnest(names) name, generate_series(1, length(name) - 2) n
  loop
    counts[part] := counts[part] + 1;
  end loop;
  return counts;
end $$;

create function count_debtors() returns trigger language plpgsql as $$
declare
  delta bigint;
  names text[];
  taken int := take_list_slot();
begin
  if tg_op = 'INSERT' then
    select count(*) into delta from new_rows;
    names := array(select full_name from new_rows limit 101);
  else
    select -count(*) into delta from old_rows;
    names := array(select full_name from old_rows limit 101);
  end if;
  update list_total set rows = rows + delta, changes = changes + 1, name_changes = name_changes + 1,
      name_parts = add_name_parts(name_parts, names)
    where entity = 'debtor' and slot = taken;
  return null;
end $$;

-- What restricted users see changes with the debtors of cases.
create function count_case_debtors() returns trigger language plpgsql as $$
declare
  names text[];
  taken int := take_list_slot();
begin
  if tg_op = 'INSERT' then
    names := array(select full_name from new_rows limit 101);
  else
    names := array(select full_name from old_rows limit 101);
  end if;
  update list_total set changes = changes + 1, name_changes = name_changes + 1,
      name_parts = add_name_parts(name_parts, names)
    where entity = 'debtor' and slot = taken;
  return null;
end $$;

create or replace function rename_case_debtor() returns trigger language plpgsql as $$
declare
  taken int := take_list_slot();
begin
  update case_debtor set full_name = new.full_name where debtor_id = new.id;
  update list_total set name_parts = add_name_parts(name_parts, array[old.full_name, new.full_name])
    where entity = 'debtor' and slot = taken;
  return null;
end $$;

-- | trigger | reason |
-- | case_debtor_counted | Totals of restricted users know which names a new debtor of a case may have added. |
-- | case_debtor_uncounted | The same for one that is removed. |
drop trigger debtor_inserted on debtor;
create trigger debtor_inserted after insert on debtor
  referencing new table as new_rows for each statement execute function count_debtors();
drop trigger debtor_deleted on debtor;
create trigger debtor_deleted after delete on debtor
  referencing old table as old_rows for each statement execute function count_debtors();
drop trigger case_debtor_changed on case_debtor;
create trigger case_debtor_changed after update on case_debtor for each statement execute function touch_debtor_list();
create trigger case_debtor_counted after insert on case_debtor
  referencing new table as new_rows for each statement execute function count_case_debtors();
create trigger case_debtor_uncounted after delete on case_debtor
  referencing old table as old_rows for each statement execute function count_case_debtors();
