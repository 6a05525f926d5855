-- What /metrics counts every few seconds is counted from an index each, however much of the past a table keeps.
drop index job_run_live;
create index job_run_live on job_run (status, created_at) where status in ('waiting', 'running', 'failed');
create index message_unsent on message (channel, expires_at) include (created_at) where sent_at is null;
