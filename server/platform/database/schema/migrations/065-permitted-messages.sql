-- When the debtor's contact permission was last given for a message that may have left since. From then on the message
-- counts as a contact, so that two messages do not use the same permission.
alter table message add column permitted_at timestamptz;
