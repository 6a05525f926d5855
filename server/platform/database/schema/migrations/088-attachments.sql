-- Files that people attach to cases and debtors, and to notes and calls about them.
create table attachment (
  id uuid not null primary key,
  -- The case or the debtor.
  item_guid uuid not null references item (guid),
  note_id uuid references note (id) on delete cascade,
  call_id uuid references phone_call (id) on delete cascade,
  -- Waits for a note or a call that is still written. Deleted after a day.
  is_draft boolean not null default false,
  file_name text not null,
  media_type text not null,
  bytes integer not null,
  content bytea not null,
  shown_to_client boolean not null default false,
  created_at timestamptz not null default now(),
  created_by uuid,
  version integer not null default 1,
  event_sequence bigint not null default 1,
  constraint attachment_owner_check check (num_nonnulls(note_id, call_id) <= case when is_draft then 0 else 1 end)
);
-- The types that are taken are compressed already.
alter table attachment alter column content set storage external;
create index attachment_item on attachment (item_guid, id);
create index attachment_note on attachment (note_id) where note_id is not null;
create index attachment_call on attachment (call_id) where call_id is not null;
create index attachment_draft on attachment (created_by) where is_draft;

-- Whose a deleted file was.
--
-- | trigger            | reason                                                     |
-- | ------------------ | ---------------------------------------------------------- |
-- | attachment_deleted | An erasure finds the audit entries of a deleted file.      |
create table deleted_attachment (
  id uuid not null primary key,
  item_guid uuid not null
);
create index deleted_attachment_item on deleted_attachment (item_guid);
create function keep_deleted_attachment() returns trigger language plpgsql as $$
begin
  insert into deleted_attachment (id, item_guid) values (old.id, old.item_guid) on conflict do nothing;
  return null;
end $$;
create trigger attachment_deleted after delete on attachment
  for each row when (not old.is_draft) execute function keep_deleted_attachment();
