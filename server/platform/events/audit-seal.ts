/**
 * The hash chain over the audit entries (contract section 17). Chaining entry by entry would serialise every write.
 * Therefore finished transactions are sealed together, about once a second. A seal's hash covers the hashes of its
 * entries, its own number and range, and the previous seal. Any later change, deletion or insertion breaks the chain.
 *
 * A seal covers a range of transaction numbers. In a database restored into another cluster these numbers start over
 * below the sealed ones. A new era then begins, separated from the previous one by position.
 *
 * Entries are found by `feed_xid`, the indexed transaction number of the feed, until a restore has set it to 0 for
 * older events (`settleRestoredEvents`). In such an era they are found by `xid`.
 */
import type { Sql } from '../database/driver/pool.ts'
import { inTransaction, type Db } from '../database/transaction.ts'

/** Entries of transactions from `fromXid` to before `toXid`, after the position where the era begins. */
interface Range {
  afterPosition: number
  fromXid: number
  toXid: number
}

/** From after one position up to another. */
interface Era {
  begin: number
  end: number
}

interface Seal extends Range {
  number: number
  entries: number
  hash: Buffer
  version: number
}

/**
 * The version of the hash of new seals. Version 1 does not cover the seal's own number and range, nor what makes an
 * entry an event.
 */
const currentVersion = 2

/** Held while sealing, and while a restore changes how entries are found. */
export const sealLock = 7_240_001
const firstHash = Buffer.alloc(32)
/** Above any position and transaction number, and still an exact number. */
const endless = Number.MAX_SAFE_INTEGER

/** Seals what was committed since the last seal; returns the number of entries. One node at a time seals. */
export async function sealAudit(sql: Sql): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const [lock] = await tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${sealLock}) as held`
    if (!lock!.held) return 0
    const last = await findLastSeal(tx)
    const [state] = await tx<{ horizon: number; waiting: boolean }[]>`
      with horizon as (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid)
      select horizon.xid as horizon, horizon.xid < ${last.toXid} or exists (
        select from audit_entry e
        where e.${tx(last.xid)} >= ${last.toXid} and e.${tx(last.xid)} < horizon.xid and position > ${last.afterPosition}
      ) as waiting
      from horizon`
    const { horizon, waiting } = state!
    if (!waiting) return 0
    if (horizon < last.toXid) return sealRestored(tx, last, horizon)
    const range = { afterPosition: last.afterPosition, fromXid: last.toXid, toXid: horizon }
    return (await insertSeal(tx, last, range, { upTo: endless, xid: last.xid })).entries
  })
}

type TransactionColumn = 'xid' | 'feed_xid'

/** The column that finds an era's entries, and its limit. */
interface Findable {
  upTo: number
  xid: TransactionColumn
}

/** Positions per statement, so that none exceeds the statement timeout. */
const positionsPerStatement = 1_000_000

/**
 * The column for a verification, which examines each entry: an entry with a differing number was inserted or settled.
 */
async function provenColumn(sql: Sql, { begin, end }: Era): Promise<TransactionColumn> {
  const [last] = await sql<{ position: number }[]>`
    select coalesce(max(position), 0) as position from audit_entry where position <= ${end}`
  for (let from = begin; from < last!.position; from += positionsPerStatement) {
    const [row] = await sql<{ differ: boolean }[]>`
      select exists (
        select from audit_entry
        where feed_xid <> xid and position > ${from} and position <= ${Math.min(from + positionsPerStatement, end)}
      ) as differ`
    if (!row!.differ) continue
    await inTransaction(sql, indexByTransaction)
    return 'xid'
  }
  return 'feed_xid'
}

/** Creates the index by the entries' own transaction numbers if missing, however long that takes. */
export async function indexByTransaction(tx: Db): Promise<void> {
  await tx`set local statement_timeout = 0`
  await tx`create index if not exists audit_entry_xid on audit_entry (xid)`
}

/**
 * The number of entries of a range up to a position, and the hash of their hashes. The connection's time zone is UTC.
 */
const digestRange = (
  db: Db,
  { afterPosition, fromXid, toXid, version }: Range & { version: number },
  { upTo, xid }: Findable,
) => db`
  (select count(*) as entries, sha256(coalesce(string_agg(
    sha256(convert_to(jsonb_build_array(e.position, e.xid, e.occurred_at, e.business_date, e.actor_id, e.request_id,
      e.operation, e.action, e.entity, e.entity_id, e.subject, e.changes
      ${version === 1 ? db`` : db`, e.id, e.type, e.version, e.sequence, e.data`})::text, 'UTF8')), ''::bytea
    order by e.xid, e.position), ''::bytea)) as digest
  from audit_entry e
  where e.${db(xid)} >= ${fromXid}::bigint and e.${db(xid)} < ${toXid}::bigint
    and e.position > ${afterPosition}::bigint and e.position <= ${upTo}::bigint)`

type SealBefore = Pick<Seal, 'number' | 'hash'>
type LastSeal = SealBefore & Pick<Seal, 'afterPosition' | 'toXid'> & Pick<Findable, 'xid'>

async function findLastSeal(tx: Db): Promise<LastSeal> {
  const [seal] = await tx<Omit<LastSeal, 'xid'>[]>`
    select number, hash, after_position as "afterPosition", to_xid as "toXid"
    from audit_seal order by number desc limit 1`
  const last = seal ?? { number: 0, hash: firstHash, afterPosition: 0, toXid: 0 }
  const [era] = await tx<{ settled: boolean }[]>`
    select exists (select from audit_entry where feed_xid = 0 and position > ${last.afterPosition}) as settled`
  return { ...last, xid: era!.settled ? 'xid' : 'feed_xid' }
}

async function insertSeal(tx: Db, last: SealBefore, range: Range, findable: Findable): Promise<Seal> {
  const { afterPosition, fromXid, toXid } = range
  const number = last.number + 1
  const [seal] = await tx<Pick<Seal, 'entries' | 'hash'>[]>`
    insert into audit_seal (number, after_position, from_xid, to_xid, entries, version, hash)
    select ${number}, ${afterPosition}, ${fromXid}, ${toXid}, d.entries, ${currentVersion},
      ${sealHash(tx, last.hash, { ...range, number, version: currentVersion })}
    from ${digestRange(tx, { ...range, version: currentVersion }, findable)} d
    returning entries, hash`
  return { ...range, number, version: currentVersion, ...seal! }
}

/** The hash of a seal over the entries `d`. */
function sealHash(db: Db, previous: Buffer, seal: Omit<Seal, 'entries' | 'hash'>) {
  if (seal.version === 1) return db`sha256(${previous}::bytea || d.digest)`
  const { version, number, afterPosition, fromXid, toXid } = seal
  return db`sha256(${previous}::bytea || d.digest || convert_to(jsonb_build_array(${version}::int, ${number}::bigint,
    ${afterPosition}::bigint, ${fromXid}::bigint, ${toXid}::bigint, d.entries)::text, 'UTF8'))`
}

/** Ends the era before the restore with a seal over the unsealed rest, and starts the next one. */
async function sealRestored(tx: Db, last: LastSeal, horizon: number): Promise<number> {
  const boundary = await findEraEnd(tx, last)
  const { afterPosition, toXid, xid } = last
  const rest = { afterPosition, fromXid: toXid, toXid: endless }
  const closing = await insertSeal(tx, last, rest, { upTo: boundary, xid })
  const since = { afterPosition: boundary, fromXid: 0, toXid: horizon }
  const opening = await insertSeal(tx, closing, since, { upTo: endless, xid: 'feed_xid' })
  return closing.entries + opening.entries
}

/**
 * The position of the last entry from before the restore. Newer ones all come after it, so it is found by counting: the
 * era's sealed entries and those with later transaction numbers.
 */
async function findEraEnd(tx: Db, { afterPosition, toXid }: LastSeal): Promise<number> {
  const [row] = await tx<{ position: number }[]>`
    select coalesce(max(position), ${afterPosition}) as position from (
      select position from audit_entry where position > ${afterPosition} order by position
      limit (select coalesce(sum(entries), 0) from audit_seal where after_position = ${afterPosition})
        + (select count(*) from audit_entry where position > ${afterPosition} and xid >= ${toXid})) of_era`
  return row!.position
}

export interface AuditCheck {
  seals: number
  entries: number
  /** The number of the first broken seal, or null. */
  brokenAt: number | null
}

/** Recomputes the whole chain. */
export async function verifyAudit(sql: Sql): Promise<AuditCheck> {
  const begins = await sql<
    { begin: number }[]
  >`select distinct after_position as begin from audit_seal order by begin`
  const bounds = new Map<number, Findable>()
  for (const [place, { begin }] of begins.entries()) {
    const end = begins[place + 1]?.begin ?? endless
    bounds.set(begin, { upTo: end, xid: await provenColumn(sql, { begin, end }) })
  }
  let previous: Buffer = firstHash
  let [seals, entries, version] = [0, 0, 1]
  const pages = sql<Seal[]>`
    select number, after_position as "afterPosition", from_xid as "fromXid", to_xid as "toXid", entries, hash, version
    from audit_seal order by number`.cursor(1_000)
  for await (const page of pages) {
    for (const seal of page) {
      const [own] = await sql<{ entries: number; hash: Buffer }[]>`
        select d.entries, ${sealHash(sql, previous, seal)} as hash
        from ${digestRange(sql, seal, bounds.get(seal.afterPosition)!)} d`
      const holds = seal.number === seals + 1 && own!.entries === seal.entries && own!.hash.equals(seal.hash)
      // We never write a seal of an older version after a newer one.
      if (!holds || seal.version < version) {
        return { seals, entries, brokenAt: seal.number }
      }
      previous = seal.hash
      version = seal.version
      seals += 1
      entries += seal.entries
    }
  }
  return { seals, entries, brokenAt: null }
}
