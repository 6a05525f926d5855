-- The audit trail can forget: seals of version 3 cover a salted digest of each changed member, so that an erasure can
-- delete value and salt while the chain still verifies (docs/domain/privacy.md). Heads of the chain are signed.
--
-- | trigger                        | reason                                                                            |
-- | ------------------------------ | --------------------------------------------------------------------------------- |
-- | audit_entry_erased             | A member of an entry can only be replaced by its digest.                          |
-- | audit_seal_version             | A node of an older version does not continue the chain.                           |
-- | audit_carry_over_append_only   | Nobody changes how the former seals were carried over.                            |
-- | audit_key_append_only          | Nobody changes a public key.                                                      |
-- | audit_head_append_only         | Nobody changes a signature.                                                       |
-- | erasure_append_only            | Nobody changes the record of an erasure.                                          |

-- The salt of an entry's members, and the erasure that took it away. Null once a member of the entry was erased: `member_salts` then has those that remain.
alter table audit_entry
  add column salt uuid default gen_random_uuid(),
  add column member_salts jsonb,
  add column erasure_id uuid;
create index audit_entry_erased on audit_entry (position) where salt is null;

-- The salt of one member: from the entry's salt, or its own in an entry with an erased member.
create function audit_member_salt(salt uuid, member_salts jsonb, member text) returns bytea language sql immutable as $$
  select coalesce(decode(member_salts ->> member, 'base64'), sha256(uuid_send(salt) || convert_to(member, 'UTF8')))
$$;

-- The digest by which a seal covers a member. An erased member is an object with this digest in place of the values.
create function audit_member_digest(salt uuid, member_salts jsonb, member text, value jsonb)
returns text language sql immutable as $$
  select case when jsonb_typeof(value) = 'object' then value ->> 'erased' else
    encode(sha256(audit_member_salt(salt, member_salts, member) || convert_to(value::text, 'UTF8')), 'base64') end
$$;

-- The only change that an entry allows: members replaced by their digests.
create function guard_audit_entry() returns trigger language plpgsql as $$
begin
  if exists (
    select from jsonb_each(old.changes) o full join jsonb_each(new.changes) n using (key)
    where o.value is distinct from n.value and (o.value is null or n.value is distinct from jsonb_build_object(
      'erased', audit_member_digest(old.salt, old.member_salts, key, o.value)))
  ) then
    raise exception 'audit_entry is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

drop trigger audit_entry_append_only on audit_entry;
create trigger audit_entry_append_only before update of position, xid, occurred_at, business_date, actor_id, request_id,
  operation, action, entity, entity_id, subject, id, type, version, sequence, data or delete or truncate
  on audit_entry for each statement execute function refuse_change();
create trigger audit_entry_erased before update of changes, salt, member_salts on audit_entry
  for each row execute function guard_audit_entry();

-- Seals of versions 1 and 2 cover the values themselves. They stay as they are, and seals of version 3 cover their
-- entries once more. The first of these covers this row and the former seals.
create table audit_carry_over (
  singleton boolean primary key default true check (singleton),
  seals bigint not null,
  entries bigint not null,
  -- The hash of the last former seal.
  head bytea not null,
  -- The first former seal that did not hold; null if all did.
  broken_at bigint,
  carried_at timestamptz not null default now()
);

-- A node of an older version must not continue the chain with seals that forbid erasure.
create function refuse_former_seal() returns trigger language plpgsql as $$
begin
  if new.version < 3 then
    raise exception 'this version of the seals is no longer written: update this node' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger audit_seal_version before insert on audit_seal for each row execute function refuse_former_seal();

-- The public keys that signed heads. The former key signs the next one; without that nobody vouches for it.
create table audit_key (
  number int primary key,
  -- The first 16 hexadecimal digits of the SHA-256 of the key.
  key_id text not null unique,
  -- Ed25519, 32 bytes.
  public_key bytea not null,
  handed_over_by text references audit_key (key_id),
  signature bytea,
  added_at timestamptz not null default now(),
  check ((handed_over_by is null) = (signature is null))
);

-- Signed heads of the chain. A signature covers a seal's hash, and thereby all seals before it.
create table audit_head (
  seal bigint primary key,
  hash bytea not null,
  key_id text not null references audit_key (key_id),
  signature bytea not null,
  signed_at timestamptz not null default now()
);

-- Erasures of personal data. They are also in a file beside the database, and replayed after a restore.
create table erasure (
  id uuid primary key,
  number bigint generated always as identity,
  debtor_id uuid not null,
  -- Kinds of personal data, as in the contract's `personalDataTypes`.
  kinds int[] not null,
  erased_at timestamptz not null default now(),
  -- The last audit entry that it could erase.
  position bigint not null
);
create index erasure_debtor on erasure (debtor_id);
create unique index erasure_number on erasure (number);

create trigger audit_carry_over_append_only before update or delete or truncate on audit_carry_over
  for each statement execute function refuse_change();
create trigger audit_key_append_only before update or delete or truncate on audit_key
  for each statement execute function refuse_change();
create trigger audit_head_append_only before update or delete or truncate on audit_head
  for each statement execute function refuse_change();
create trigger erasure_append_only before update or delete or truncate on erasure
  for each statement execute function refuse_change();

drop function audit_digest;

-- Whose a deleted note was, so that an erasure finds what the audit trail has of it.
--
-- | trigger                        | reason                                                                            |
-- | ------------------------------ | --------------------------------------------------------------------------------- |
-- | note_deleted                   | An erasure finds the audit entries of a deleted note.                             |

create table deleted_note (
  id uuid primary key,
  item_guid uuid not null
);
create index deleted_note_item on deleted_note (item_guid);

create function keep_deleted_note() returns trigger language plpgsql as $$
begin
  insert into deleted_note (id, item_guid) values (old.id, old.item_guid) on conflict do nothing;
  return null;
end $$;
create trigger note_deleted after delete on note for each row execute function keep_deleted_note();
