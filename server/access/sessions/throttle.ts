/**
 * Slows down guessing (contract section 5): ten failures for a login in 15 minutes make it wait a minute, then two,
 * up to 15; a hundred failures from an address (of IPv6: its network) in 15 minutes shut it out. Kept in the database: shared by all nodes,
 * and a restart forgives nothing. Logins and addresses are stored hashed.
 */
import { hash } from 'node:crypto'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'

const loginFailuresMax = 10
const addressFailuresMax = 100
const blockMinutesMax = 15

/**
 * A user is one, whether by e-mail or userCode and in whatever letters the database takes for the same; a login that is
 * nobody's is counted as well, so that both look alike.
 */
export const loginKey = (login: string, userId: string | undefined) =>
  userId === undefined ? hash('sha256', `login:${login.toLowerCase()}`, 'buffer') : userKey(userId)
export const userKey = (userId: string) => hash('sha256', `user:${userId}`, 'buffer')
export const addressKey = (address: string) => hash('sha256', `address:${networkOf(address)}`, 'buffer')

/** Who is counted together: an IPv4 address, or the 64 bits of IPv6 within which one sender takes any address it likes. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [before = '', after] = address.split('::')
  const [start, end] = [before, after ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros =
    after === undefined ? [] : Array<string>(Math.max(0, 8 - start!.length - end!.length)).fill('0')
  return `${[...start!, ...zeros, ...end!]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`
}

export interface Blocks {
  login: boolean
  /** Seconds until the address may try again, or null. */
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

/** Throws a 429 when the address must wait. */
export function requireOpenAddress({ addressSeconds }: Blocks): void {
  if (addressSeconds === null) return
  throw new ApiError(
    'too-many-requests',
    `Too many failed sign-ins from this address. Wait ${addressSeconds} s.`,
    { headers: { 'retry-after': String(addressSeconds) } },
  )
}

/** Counts a failure for the address, and for the login unless that is waiting already. */
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

/** A sign-in that worked ends the counting for the login; the address goes on being counted. */
export async function forgetFailures(db: Db, login: Buffer): Promise<void> {
  await db`delete from login_failure where key = ${login}`
}
