-- Index entries that nobody looks for: of entries without an actor, as the night writes them, and of bookings that reverse none.
drop index audit_entry_actor;
create index audit_entry_actor on audit_entry (actor_id) where actor_id is not null;
alter table movement drop constraint movement_reverses_id_key;
create unique index movement_reverses on movement (reverses_id) where reverses_id is not null;
alter table ledger_transaction drop constraint ledger_transaction_reverses_id_key;
create unique index ledger_transaction_reverses on ledger_transaction (reverses_id) where reverses_id is not null;
