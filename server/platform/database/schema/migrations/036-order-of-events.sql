-- The events of a subject are read in the order of their numbers. A transaction that got its number early may write an
-- event after one with a later number has written the subject's former event: its entry then takes that later number.
-- Such an entry stays invisible to the feed and the seals until its own transaction has ended, as the horizon of both
-- lies before every transaction that still runs.
--
-- | trigger             | reason                                                       |
-- | ------------------- | ------------------------------------------------------------ |
-- | audit_entry_ordered | The feed gives the events of a subject in order.             |

-- Volatile, so that it sees what was committed while its statement waited for a lock.
create function order_audit_entry() returns trigger language plpgsql volatile as $$
declare
  former bigint;
begin
  select feed_xid into former from audit_entry where subject = new.subject and sequence = new.sequence - 1;
  if former > new.feed_xid then
    new.xid := former;
    new.feed_xid := former;
  end if;
  return new;
end $$;

create trigger audit_entry_ordered before insert on audit_entry
  for each row when (new.sequence > 1) execute function order_audit_entry();
