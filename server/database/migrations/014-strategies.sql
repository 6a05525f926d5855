-- Letters that are kept, and the steps of collection.

-- A letter. Its data is what it says, as of its date; the PDF is made of it when it is first asked for, and then kept.
create table document (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  -- Null for one about all that a debtor owes.
  case_id uuid references debt_case,
  -- Whose cases it tells of.
  client_ids uuid[] not null,
  kind text not null check (kind in ('statement', 'reminder', 'demand', 'legal', 'surveillance')),
  language text not null,
  title text not null,
  business_date date not null,
  data jsonb not null,
  content bytea,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index document_debtor on document (debtor_id, id);
create index document_case on document (case_id) where case_id is not null;
-- Once made, what a letter says does not change.
create function guard_document() returns trigger language plpgsql as $$
begin
  if old.content is not null or (to_jsonb(old) - 'content') <> (to_jsonb(new) - 'content') then
    raise exception 'a document does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger document_unchanged before update on document for each row execute function guard_document();

-- A letter to be printed and posted waits in the outbox like other messages, and is its document.
alter table message
  drop constraint message_channel_check,
  add constraint message_channel_check check (channel in ('email', 'sms', 'letter')),
  add column document_id uuid references document,
  add constraint message_document check ((channel = 'letter') = (document_id is not null));
create index message_document on message (document_id) where document_id is not null;
