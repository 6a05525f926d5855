/** The password of a signed-in user, asked for before a change that somebody at an unlocked screen must not make. */
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { isPassword } from './passwords.ts'
import { addressKey, countFailure, findBlocks, userKey } from './throttle.ts'

/** The users whose password this node checks just now. */
const checked = new Set<string>()

/**
 * Returns the user's password hash if the password is right; undefined for a wrong one and for a locked user. A wrong
 * one counts as a failed sign-in. Checks one at a time for each user, so that concurrent attempts cannot bypass the
 * count, and throws a 429 for another one meanwhile. Call it outside of transactions: it takes long.
 */
export async function proveOwnPassword(
  db: Db,
  { userId, address }: { userId: string; address: string },
  password: string,
): Promise<string | undefined> {
  if (checked.has(userId)) {
    throw new ApiError('too-many-requests', 'Another request is checking your password. Wait 1 s.', {
      headers: { 'retry-after': '1' },
    })
  }
  checked.add(userId)
  try {
    const [login, from] = [userKey(userId), addressKey(address)]
    if ((await findBlocks(db, login, from)).login) return undefined
    const passwordHash = await findPasswordHash(db, userId)
    const matches = await isPassword(passwordHash, password, { sender: userId, account: userId })
    // Other nodes may have counted failures meanwhile.
    const { login: blocked } = await findBlocks(db, login, from)
    if (matches && passwordHash !== null && !blocked) return passwordHash
    await countFailure(db, { login, address: from, blocked })
    return undefined
  } finally {
    checked.delete(userId)
  }
}

async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const [user] = await db<{ passwordHash: string | null }[]>`
    select password_hash as "passwordHash" from app_user where id = ${userId}`
  return user?.passwordHash ?? null
}
