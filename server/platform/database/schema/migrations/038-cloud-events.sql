-- Whether the deliveries of a webhook are CloudEvents in place of events as the feed gives them.
alter table webhook add column cloud_events boolean not null default false;
