-- Entries of the trail and events are counted, sorted and found by indexes (decision 0350).

-- What kind an entry is. A value is listed once with its entries, so any filter by these members is counted by a few
-- hundred blocks. In place of the index by type alone.
drop index audit_entry_type;
create index audit_entry_kind on audit_entry (type, entity, action, operation, business_date);

-- Lists sort nulls first: an index serves such an order only when it says the same, even where a column has no nulls.
drop index audit_entry_subject;
create unique index audit_entry_subject on audit_entry (subject nulls first, sequence);
drop index audit_entry_entity;
create index audit_entry_entity on audit_entry (entity_id nulls first);

-- The trail in the order of time; in place of an index of ranges, which has no order.
drop index audit_entry_occurred;
create index audit_entry_occurred on audit_entry (occurred_at nulls first);

-- Ids are nearly in the order of time, as the entries are: a range of pages needs one entry with some values.
create index audit_entry_id on audit_entry using brin (id uuid_minmax_multi_ops (values_per_range = 8))
  with (pages_per_range = 64, autosummarize = on);
