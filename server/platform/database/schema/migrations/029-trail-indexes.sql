-- What is asked of the trail: all entries of one record, of one user, of one type of event, and of a period. The first
-- three list each value once, with its entries; the last has an entry for each 128 pages, which are in the order of time.
create index audit_entry_entity on audit_entry (entity_id);
create index audit_entry_actor on audit_entry (actor_id);
create index audit_entry_type on audit_entry (type);
create index audit_entry_occurred on audit_entry using brin (occurred_at);
