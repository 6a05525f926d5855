import { v7 as uuidv7 } from 'uuid'
import type { UserRole } from '../../contract/access.ts'
import type { Db } from '../database/transaction.ts'
import { changesOfNew, insertRecords, recordsOf } from '../events/record.ts'
import type { Origin } from '../http/caller.ts'

export interface NewUser {
  partyId: string
  userCode: string | null
  email: string
  fullName: string
  passwordHash: string
  userRole: UserRole
}

/** Returns the user's guid. Runs inside a transaction. */
export async function insertUser(tx: Db, user: NewUser, origin: Origin): Promise<string> {
  const userGuid = uuidv7()
  await tx`
    insert into app_user (id, party_id, user_code, email, full_name, password_hash, user_role)
    values (${userGuid}, ${user.partyId}, ${user.userCode}, ${user.email}, ${user.fullName}, ${user.passwordHash}, ${user.userRole})`
  const { passwordHash: _secret, ...audited } = user
  await insertRecords(
    tx,
    recordsOf(origin, [
      {
        type: 'user.created',
        entityId: userGuid,
        subject: userGuid,
        sequence: 1,
        data: { userGuid },
        changes: changesOfNew(audited),
      },
    ]),
  )
  return userGuid
}

export async function hasUsers(db: Db): Promise<boolean> {
  const [row] = await db<{ any: boolean }[]>`select exists (select from app_user) as any`
  return row!.any
}

/** The agency itself: the root of the tree of parties. */
export async function findAgency(db: Db): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`select id from party where parent_id is null order by id limit 1`
  return row?.id
}

export async function insertParty(
  tx: Db,
  party: { referenceCode: string; name: string; parentId: string | null },
): Promise<string> {
  const id = uuidv7()
  await tx`
    insert into party (id, reference_code, name, parent_id)
    values (${id}, ${party.referenceCode}, ${party.name}, ${party.parentId})`
  return id
}
