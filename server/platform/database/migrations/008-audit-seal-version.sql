-- How a seal's hash was made. Version 2 also covers the seal's own number and range; the seals there are stay version 1.
alter table audit_seal add column version int not null default 1;

-- By what an imported party or user is known from run to run: the source and its own reference.
alter table party add column source_reference text;
create unique index party_source_reference on party (source_reference);
alter table app_user add column source_reference text;
create unique index app_user_source_reference on app_user (source_reference);
