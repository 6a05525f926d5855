-- The address that the user has shown to be their own. Another address is not confirmed by it.
alter table app_user add column confirmed_email text;

alter table mfa_challenge drop constraint mfa_challenge_purpose_check;
alter table mfa_challenge add constraint mfa_challenge_purpose_check
  check (purpose in ('sign-in', 'choose', 'change', 'email'));

-- Kinds of notifications that a user gets by e-mail. What happened before `since` is not sent.
create table notification_choice (
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null,
  delivery text not null check (delivery in ('AT_ONCE', 'DAILY')),
  since timestamptz not null default now(),
  primary key (user_id, kind)
);

-- When the next e-mail to a user may leave, and how many were refused one after the other.
create table notification_email (
  user_id uuid not null primary key references app_user (id) on delete cascade,
  next_at timestamptz not null default now(),
  refusals integer not null default 0 check (refusals >= 0)
);
create index notification_email_next on notification_email (next_at);

-- Set before the e-mail leaves, and taken back only if the mail server has refused it.
alter table notification add column emailed_at timestamptz;
create index notification_unsent on notification (user_id, created_at) where read_at is null and emailed_at is null;
