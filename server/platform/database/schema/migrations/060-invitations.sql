-- Invitations by e-mail: a token as for a forgotten password, of a purpose of its own and valid for longer.
alter table password_reset add column purpose text not null default 'RESET'
  constraint password_reset_purpose_check check (purpose in ('RESET', 'INVITATION'));
-- Who invited: no foreign key, because the inviter may be deleted before the token is.
alter table password_reset add column invited_by uuid;
create index password_reset_invited_by on password_reset (invited_by, created_at) where invited_by is not null;
