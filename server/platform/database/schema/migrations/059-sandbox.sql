-- The mark of a sandbox: a copy that sends nothing, whatever its settings say. It is made with the copy and stays.
create table sandbox (
  singleton boolean primary key default true check (singleton),
  id uuid not null,
  -- When the source was as the copy shows it.
  copied_at timestamptz not null,
  masked boolean not null
);

-- | trigger      | reason                                   |
-- | ------------ | ---------------------------------------- |
-- | sandbox_kept | Nobody makes a sandbox send by its mark. |
create function keep_sandbox() returns trigger language plpgsql as $$
begin
  raise exception 'A sandbox stays a sandbox: its mark cannot be changed or removed.';
end $$;
create trigger sandbox_kept before update or delete or truncate on sandbox
  for each statement execute function keep_sandbox();
