-- The user to whom a message is. A code or link that has ended does not leave, and an e-mail follows the address.
alter table message add column user_id uuid references app_user (id) on delete cascade;
create index message_user on message (user_id) where user_id is not null and sent_at is null;
