/**
 * The hash chain over the audit entries (contract section 17). Chaining entry by entry would serialise every write.
 * Therefore finished transactions are sealed together, about once a second. A seal's hash covers the hashes of its
 * entries, its own number and range, and the previous seal. Any later change, deletion or insertion breaks the chain.
 *
 * A seal covers a range of transaction numbers. In a database restored into another cluster these numbers start over
 * below the sealed ones. A new era then begins, separated from the previous one by position.
 *
 * Of each changed member a seal covers a salted digest. An erasure replaces the member by this digest and deletes the
 * salt (`erase-traces.store.ts`): the chain still holds. Former seals cover the values themselves; `carryOverSeals` covers
 * their entries once more.
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
 * The version of the hash of new seals. Version 2 covers the values of members in place of their digests. Version 1 also
 * does not cover the seal's own number and range, nor what makes an entry an event.
 */
const currentVersion = 3

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

/** The digests of an entry's members: as the function `audit_member_digest`, which an attacker could change. */
const memberDigest = (db: Db) => db`
  case when jsonb_typeof(m.value) = 'object' then m.value ->> 'erased' else
    encode(sha256(coalesce(decode(e.member_salts ->> m.key, 'base64'),
      sha256(uuid_send(e.salt) || convert_to(m.key, 'UTF8'))) || convert_to(m.value::text, 'UTF8')), 'base64') end`

/** What a seal covers of the changes and of the event of an entry `e`. */
function coveredParts(db: Db, version: number) {
  if (version === 1) return db`e.changes`
  const event = db`e.id, e.type, e.version, e.sequence, e.data`
  if (version === 2) return db`e.changes, ${event}`
  // As text, which takes half the time of a document. A digest has 44 characters, and jsonb keeps its members in order.
  return db`(select string_agg(${memberDigest(db)} || length(m.key) || ':' || m.key, ',')
    from jsonb_each(e.changes) m), ${event}`
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
      e.operation, e.action, e.entity, e.entity_id, e.subject, ${coveredParts(db, version)})::text, 'UTF8')), ''::bytea
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
      limit (select coalesce(sum(entries), 0) from audit_seal
        where after_position = ${afterPosition} and version = ${currentVersion})
        + (select count(*) from audit_entry where position > ${afterPosition} and xid >= ${toXid})) of_era`
  return row!.position
}

export interface AuditCheck {
  seals: number
  entries: number
  /** The number of the first broken seal, or null. */
  brokenAt: number | null
  /** The last seal that holds, as hexadecimal digits; null without any. */
  head: string | null
  /** What was already broken when the former seals were carried over. */
  formerBrokenAt: number | null
  /** The position of the first entry with an erased member that no erasure accounts for, or null. */
  erasedAt: number | null
}

interface ChainOptions {
  /** Receives each seal that holds. */
  onSeal?(seal: { number: number; hash: Buffer }): void
}

/** Recomputes the whole chain. */
export async function verifyAudit(sql: Sql, { onSeal }: ChainOptions = {}): Promise<AuditCheck> {
  const [former] = await sql<
    CarryOver[]
  >`select seals, entries, head, broken_at as "brokenAt" from audit_carry_over`
  const formerBrokenAt = former?.brokenAt ?? null
  const chain = await verifyChain(sql, former, onSeal)
  const erasedAt = await findUnaccounted(sql)
  return { ...chain, formerBrokenAt, erasedAt }
}

interface CarryOver {
  seals: number
  entries: number
  head: Buffer
  brokenAt: number | null
}

type ChainCheck = Pick<AuditCheck, 'seals' | 'entries' | 'brokenAt' | 'head'>

async function verifyChain(
  sql: Sql,
  former: CarryOver | undefined,
  onSeal: ChainOptions['onSeal'],
): Promise<ChainCheck> {
  const bounds = await findBounds(sql)
  let previous: Buffer = former ? await hashCarryOver(sql) : firstHash
  let [seals, entries, version] = [former?.seals ?? 0, 0, former ? currentVersion : 1]
  let head: Buffer | undefined
  const pages = sql<Seal[]>`
    select number, after_position as "afterPosition", from_xid as "fromXid", to_xid as "toXid", entries, hash, version
    from audit_seal where number > ${seals} order by number`.cursor(1_000)
  for await (const page of pages) {
    for (const seal of page) {
      const [own] = await sql<{ entries: number; hash: Buffer }[]>`
        select d.entries, ${sealHash(sql, previous, seal)} as hash
        from ${digestRange(sql, seal, bounds.get(seal.afterPosition)!)} d`
      const isSame = own!.entries === seal.entries && own!.hash.equals(seal.hash)
      // An older version behind a newer one would cover less.
      if (seal.number !== seals + 1 || !isSame || seal.version < version)
        return { seals, entries, brokenAt: seal.number, head: head?.toString('hex') ?? null }
      onSeal?.(seal)
      previous = seal.hash
      head = seal.hash
      version = seal.version
      seals++
      entries += seal.entries
    }
  }
  return { seals, entries, brokenAt: null, head: head?.toString('hex') ?? null }
}

/**
 * Values can only be hidden by an erasure that the table `erasure` tells of, which the trail itself records. An erasure
 * takes the salt away as well, but somebody who hides a value can leave it.
 */
async function findUnaccounted(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ position: number | null }[]>`
    select min(e.position) as position from audit_entry e
    where (e.salt is null or exists (select from jsonb_each(e.changes) m where jsonb_typeof(m.value) = 'object'))
      and not exists (
      select from erasure r join audit_entry told on told.subject = r.debtor_id and told.type = 'debtor.erased'
      where r.id = e.erasure_id and e.position <= r.position and told.data ->> 'erasureGuid' = r.id::text)`
  return row!.position
}

/** The hash that the first seal after the former ones continues: of these and of how they were carried over. */
async function hashCarryOver(db: Db): Promise<Buffer> {
  const [row] = await db<{ hash: Buffer }[]>`
    select sha256(convert_to(jsonb_build_array(c.seals, c.entries, encode(c.head, 'hex'), c.broken_at)::text, 'UTF8')
      || coalesce((select sha256(string_agg(sha256(convert_to(jsonb_build_array(s.number, s.after_position, s.from_xid,
          s.to_xid, s.entries, s.version, encode(s.hash, 'hex'))::text, 'UTF8')), ''::bytea order by s.number))
        from audit_seal s where s.number <= c.seals), ''::bytea)) as hash
    from audit_carry_over c`
  return row!.hash
}

/** Entries per seal that carries former ones over. */
const entriesPerCarriedSeal = 200_000

/**
 * Covers the entries of former seals once more, by seals of the current version, and records whether the former chain
 * held. A part of the migration `trail`: done once, before anything is erased. Returns the number of entries.
 */
export async function carryOverSeals(sql: Sql): Promise<number> {
  const [state] = await sql<{ due: boolean }[]>`
    select exists (select from audit_seal where version < ${currentVersion})
      and not exists (select from audit_carry_over) as due`
  if (!state!.due) return 0
  const { brokenAt } = await verifyChain(sql, undefined, undefined)
  const ranges = await listFormerRanges(sql)
  return inTransaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into audit_carry_over (seals, entries, head, broken_at)
      select number, (select sum(entries) from audit_seal), hash, ${brokenAt}
      from audit_seal order by number desc limit 1`
    const [former] = await tx<{ seals: number }[]>`select seals from audit_carry_over`
    let previous: SealBefore = { number: former!.seals, hash: await hashCarryOver(tx) }
    let carried = 0
    for (const { upTo, xid, ...range } of ranges) {
      const seal = await insertSeal(tx, previous, range, { upTo, xid })
      previous = seal
      carried += seal.entries
    }
    return carried
  })
}

/** The ranges of all seals, those next to each other in one era together, up to a number of entries. */
async function listFormerRanges(sql: Sql): Promise<(Range & Findable)[]> {
  const ranges = await sql<Range[]>`
    select after_position as "afterPosition", min(from_xid) as "fromXid", max(to_xid) as "toXid"
    from (
      select *, div(sum(entries) over (partition by after_position order by number) - entries, ${entriesPerCarriedSeal})
        as part
      from audit_seal) s
    group by after_position, part order by min(number)`
  const bounds = await findBounds(sql)
  return ranges.map((range) => ({ ...range, ...bounds.get(range.afterPosition)! }))
}

/** Up to which position each era goes, and how its entries are found. By where the era begins. */
async function findBounds(sql: Sql): Promise<Map<number, Findable>> {
  const begins = await sql<{ begin: number }[]>`
    select distinct after_position as begin from audit_seal order by begin`
  const bounds = new Map<number, Findable>()
  for (const [place, { begin }] of begins.entries()) {
    const end = begins[place + 1]?.begin ?? endless
    bounds.set(begin, { upTo: end, xid: await provenColumn(sql, { begin, end }) })
  }
  return bounds
}
