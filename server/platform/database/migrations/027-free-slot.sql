-- A change of a list takes a slot that no other transaction has, its own first, so that up to 32 wait for nobody. Until
-- now two backends of one number modulo 32 met, and the second waited for the end of the first one's transaction.
create function take_list_slot() returns int language plpgsql as $$
declare
  own int := pg_backend_pid() % 32;
begin
  for step in 0..31 loop
    if pg_try_advisory_xact_lock(7240032, (own + step) % 32) then
      return (own + step) % 32;
    end if;
  end loop;
  perform pg_advisory_xact_lock(7240032, own);
  return own;
end $$;

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
  update list_total set rows = rows + delta, changes = changes + 1 where entity = tg_table_name and slot = taken;
  return null;
end $$;

create or replace function touch_debtor_list() returns trigger language plpgsql as $$
declare
  taken int := take_list_slot();
begin
  update list_total set changes = changes + 1 where entity = 'debtor' and slot = taken;
  return null;
end $$;
