/**
 * Slows down guessing (contract section 5). Ten failures for a login in 15 minutes lock it for a minute, then two, up
 * to 15. A hundred failures from an address (of IPv6: its network) in 15 minutes lock the address. The database keeps
 * the counts, hashed: all nodes share them, and they survive restarts.
 */
import { hash } from 'node:crypto'
import { foldLogin } from '../../../core/identity/login.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { networkPrefix } from '../../platform/http/limits/network-prefix.ts'
import type { HashTurn } from './hash-queue.ts'

const loginFailuresMax = 10
const addressFailuresMax = 100
const blockMinutesMax = 15

/**
 * A user has one key, by e-mail or userCode and in any spelling that the database treats as equal. Unknown logins are
 * counted as well, so that both behave alike.
 */
export const loginKey = (login: string, userId: string | undefined) =>
  userId === undefined ? hash('sha256', `login:${foldLogin(login)}`, 'buffer') : userKey(userId)
export const userKey = (userId: string) => hash('sha256', `user:${userId}`, 'buffer')
export const addressKey = (address: string) => hash('sha256', `address:${networkPrefix(address)}`, 'buffer')

/** The turn of a sign-in. The account is that given, known or not, so that waiting tells nothing about it. */
export const hashTurn = (address: string, login: string): HashTurn => ({
  sender: networkPrefix(address),
  account: foldLogin(login),
})

export interface Blocks {
  login: boolean
  /** Seconds until the address is unlocked, or null. */
  addressSeconds: number | null
}

export async function findBlocks(db: Db, login: Buffer, address: Buffer): Promise<Blocks> {
  const rows = await db<{ key: Buffer; seconds: number }[]>`
    select key, ceil(extract(epoch from blocked_until - now()))::int as seconds
    from login_failure where key in (${login}, ${address}) and blocked_until > now()`
  return {
    login: rows.some((row) => row.key.equals(login)),
    addressSeconds: rows.find((row) => row.key.equals(address))?.seconds ?? null,
  }
}

/** Throws a 429 when the address is locked. */
export function requireOpenAddress({ addressSeconds }: Blocks): void {
  if (addressSeconds === null) return
  throw new ApiError(
    'too-many-requests',
    `Too many failed sign-ins from this address. Wait ${addressSeconds} s.`,
    { headers: { 'retry-after': String(addressSeconds) } },
  )
}

/** Counts a failure for the address, and for the login unless it is locked already. */
export async function countFailure(
  db: Db,
  { login, address, blocked }: { login: Buffer; address: Buffer; blocked: boolean },
): Promise<void> {
  await countOne(db, address, addressFailuresMax)
  if (!blocked) await countOne(db, login, loginFailuresMax)
}

async function countOne(db: Db, key: Buffer, failuresMax: number): Promise<void> {
  await db`
    insert into login_failure as f (key, failures, counted_since) values (${key}, 1, now())
    on conflict (key) do update set
      failures = case when f.counted_since < now() - interval '15 minutes' then 1 else f.failures + 1 end,
      counted_since = case when f.counted_since < now() - interval '15 minutes' then now() else f.counted_since end,
      blocks = case when f.counted_since < now() - interval '24 hours' then 0 else f.blocks end`
  await db`
    update login_failure set failures = 0, blocks = blocks + 1,
      blocked_until = now() + least(power(2, least(blocks, 10)), ${blockMinutesMax}) * interval '1 minute'
    where key = ${key} and failures >= ${failuresMax}`
}

/** Resets the count of a login after a successful sign-in. The address keeps its count. */
export async function forgetFailures(db: Db, login: Buffer): Promise<void> {
  await db`delete from login_failure where key = ${login}`
}
