-- What an entry of the audit trail costs beyond its row. The check: an expression over a row is read, made ready and asked
-- for each statement anew. One module writes entries (server/events), and a test sees half of an event.
alter table audit_entry drop constraint audit_entry_check;

-- The indexes by transaction, of which one does: that of the feed, without a condition, serves the seals too. Only where
-- a restore has settled entries (`feed_xid` 0) they are found by `xid`; a restore makes that index.
drop index audit_entry_feed;
create index audit_entry_feed on audit_entry (feed_xid, position);
do $$ begin
  if not exists (select from audit_entry where feed_xid = 0) then drop index audit_entry_xid; end if;
end $$;
