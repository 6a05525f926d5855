-- What /metrics counts every few seconds is counted from an index each, however much of the past a table keeps.
drop index job_run_live;
create index job_run_live on job_run (status, created_at) where status in ('waiting', 'running', 'failed');
create index message_unsent on message (channel, expires_at) include (created_at) where sent_at is null;
-- What is due of a channel is looked for every second: letters that nobody prints are in nobody's way.
drop index message_due;
create index message_due on message (channel, next_try_at) where sent_at is null;
