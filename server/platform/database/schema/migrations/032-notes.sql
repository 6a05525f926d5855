-- Notes come back on a date, mention users, and are shown to creditors when marked.

-- Notes that creditors could read until now stay readable to them.
alter table note
  add column follow_up_date date,
  add column shown_to_client boolean not null default true;
alter table note alter column shown_to_client set default false;
create index note_follow_up_date on note (follow_up_date) where follow_up_date is not null;

-- Who is mentioned in a note has it in their queue until they are done with it.
create table note_mention (
  note_id uuid not null references note on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  mentioned_date date not null,
  done_date date,
  primary key (note_id, user_id)
);
create index note_mention_user on note_mention (user_id);
