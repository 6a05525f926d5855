-- Tokens whose audience is the address for assistants. They have a kind of their own: a node of an earlier version, which
-- knows no audiences, then finds no session by them.
alter table session_token
  drop constraint session_token_kind_check,
  add constraint session_token_kind_check check (kind in ('access', 'refresh', 'cookie', 'assistant'));
