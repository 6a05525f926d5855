-- A change's event and its audit entry were two rows with the same reason, time and subject. They become one: an entry
-- with a number is an event. Entries without one, such as the end of a session, are told to nobody.

alter table audit_entry
  add column id uuid,
  add column type text,
  -- Of the event's type.
  add column version int not null default 1,
  add column sequence bigint,
  add column data jsonb;

-- Both were written in one order, so that the n-th event of a subject belongs to its n-th entry of an event's kind.
alter table audit_entry disable trigger audit_entry_append_only;
update audit_entry a
set id = e.id, type = e.type, version = e.version, sequence = e.sequence, data = e.data
from (select *, row_number() over (partition by subject, type, xid order by position) as n from event) e
join (
  select position, subject, xid, entity || '.' || action as type,
    row_number() over (partition by subject, entity, action, xid order by position) as n
  from audit_entry
) o using (subject, type, xid, n)
where a.position = o.position;
alter table audit_entry enable trigger audit_entry_append_only;

do $$
declare
  lost bigint;
begin
  select count(*) into lost from event e where not exists (select from audit_entry a where a.id = e.id);
  if lost > 0 then
    raise exception '% events have no audit entry to go to', lost;
  end if;
end $$;

drop table event;
drop index audit_entry_subject;
-- Gapless and without doubles per subject; also finds all entries of one.
create unique index audit_entry_subject on audit_entry (subject, sequence);
alter table audit_entry add check ((sequence is null) = (id is null) and (sequence is null) = (type is null) and (sequence is null) = (data is null));

create view event as
  select position, id, type, version, occurred_at, subject, sequence, data, xid from audit_entry where sequence is not null;
