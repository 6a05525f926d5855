-- A user's e-mail and code are one name in every spelling: letter case, composition, ligatures and letter width.

-- The key of an e-mail or user code: compatibility composition and full case folding, whatever the locale of the
-- database. `foldLogin` of core/identity/login.ts is the same, and says why small, capital, small.
create function folded_login(login text) returns text language sql immutable parallel safe
  return normalize(lower(upper(lower(normalize(login, NFKC) collate "und-x-icu"))), NFKC);

do $$
declare
  same text;
begin
  select string_agg(users, '; ' order by users) into same from (
    select 'e-mail of ' || string_agg(id::text, ', ' order by id) as users
    from app_user group by folded_login(email) having count(*) > 1
    union all
    select 'userCode of ' || string_agg(id::text, ', ' order by id)
    from app_user where user_code is not null group by folded_login(user_code) having count(*) > 1
  ) found;
  if same is not null then
    raise exception using errcode = 'unique_violation', message = format(
      'users have one name in different spellings: %s. Give all but one of each group another e-mail or userCode, with the version that runs now or by SQL in the table app_user, and start again', same);
  end if;
end
$$;

drop index app_user_email;
drop index app_user_user_code;
create unique index app_user_email on app_user (folded_login(email));
create unique index app_user_user_code on app_user (folded_login(user_code));
