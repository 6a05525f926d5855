/**
 * The hash chain over the audit entries (contract section 17). Chaining entry by entry would put every write of the
 * installation in one queue, so finished transactions are sealed together, about once a second: a seal's hash covers
 * the hashes of its entries and the seal before. Whatever is changed, removed or slipped in afterwards breaks the chain.
 */
import type { Sql } from 'postgres'
import { inTransaction } from '../database/transaction.ts'

interface Seal {
  number: number
  afterPosition: number
  fromXid: number
  toXid: number
  entries: number
  hash: Buffer
}

const sealLock = 7_240_001
const firstHash = Buffer.alloc(32)

/** Seals what has been committed since the last seal; returns the number of entries. One node at a time does it. */
export async function sealAudit(sql: Sql): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const [lock] = await tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${sealLock}) as held`
    if (!lock!.held) return 0
    const [state] = await tx<(Partial<Seal> & { horizon: number; lastPosition: number; waiting: boolean })[]>`
      with horizon as (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid),
        last as (select * from audit_seal order by number desc limit 1)
      select last.number, last.after_position as "afterPosition", last.to_xid as "toXid", last.hash,
        horizon.xid as horizon, (select coalesce(max(position), 0) from audit_entry) as "lastPosition",
        exists (select from audit_entry where xid >= coalesce(last.to_xid, 0) or horizon.xid < last.to_xid) as waiting
      from horizon left join last on true`
    const { horizon, lastPosition, waiting } = state!
    if (!waiting) return 0
    // Transaction numbers below the last seal's: the data was restored into another cluster, and a new era begins.
    const restored = state!.toXid !== undefined && state!.toXid !== null && horizon < state!.toXid
    const afterPosition = restored ? lastPosition : (state!.afterPosition ?? 0)
    const fromXid = restored ? 0 : (state!.toXid ?? 0)
    const [sealed] = await tx<{ entries: number }[]>`
      insert into audit_seal (number, after_position, from_xid, to_xid, entries, hash)
      select ${(state!.number ?? 0) + 1}, ${afterPosition}, ${fromXid}, ${horizon}, d.entries,
        sha256(${state!.hash ?? firstHash}::bytea || d.digest)
      from audit_digest(${afterPosition}, ${fromXid}, ${horizon}) d
      where d.entries > 0 or ${restored}
      returning entries`
    return sealed?.entries ?? 0
  })
}

export interface AuditCheck {
  seals: number
  entries: number
  /** The first seal that does not hold, or null. */
  brokenAt: number | null
}

/** Recomputes the whole chain. */
export async function verifyAudit(sql: Sql): Promise<AuditCheck> {
  let previous: Buffer = firstHash
  let [seals, entries] = [0, 0]
  const pages = sql<Seal[]>`
    select number, after_position as "afterPosition", from_xid as "fromXid", to_xid as "toXid", entries, hash
    from audit_seal order by number`.cursor(100)
  const found: Seal[] = []
  for await (const page of pages) found.push(...page)
  for (const seal of found) {
    const [own] = await sql<{ entries: number; hash: Buffer }[]>`
      select d.entries, sha256(${previous}::bytea || d.digest) as hash
      from audit_digest(${seal.afterPosition}, ${seal.fromXid}, ${seal.toXid}) d`
    if (seal.number !== seals + 1 || own!.entries !== seal.entries || !own!.hash.equals(seal.hash)) {
      return { seals, entries, brokenAt: seal.number }
    }
    previous = seal.hash
    seals += 1
    entries += seal.entries
  }
  return { seals, entries, brokenAt: null }
}
