-- How many of the cases that an import inserted were barred by limitation before.
alter table import_run add column barred bigint not null default 0;
