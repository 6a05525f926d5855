-- What is due of a channel is looked for every second: letters that nobody prints are in nobody's way.
drop index message_due;
create index message_due on message (channel, next_try_at) where sent_at is null;
