-- Contact permission: what a debtor has said about each channel, and the messages that wait for it.

alter table debtor
  add column email_consent text check (email_consent in ('GIVEN', 'REFUSED')),
  add column sms_consent text check (sms_consent in ('GIVEN', 'REFUSED')),
  add column phone_consent text check (phone_consent in ('GIVEN', 'REFUSED')),
  add column time_zone text,
  add column protected_identity boolean,
  add column forwarding_address text;

-- The guardian to whom a letter of a minor is addressed. Null for the debtor.
alter table document add column addressee_id uuid references debtor;
create index document_addressee on document (addressee_id) where addressee_id is not null;

-- Why a message is not sent, and until when. Without an end it is asked again every hour.
alter table message
  add column held_reason text,
  add column held_until timestamptz;
drop index message_unsent;
-- /metrics counts unsent messages from this index alone, without those that are held.
create index message_unsent on message (channel, expires_at) include (created_at)
  where sent_at is null and held_reason is null;
