/** The hash chain over the audit trail: valid after every normal operation, broken by every manipulation. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, type Db } from '../database/transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { insertAuditEntry } from './audit-entry.ts'
import { carryOverSeals, sealAudit, verifyAudit } from './audit-seal.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

const subject = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-31' }

const write = (db: Db, name: string) =>
  insertAuditEntry(db, origin, {
    entity: 'debtor',
    action: 'updated',
    entityId: subject,
    subject,
    changes: { fullName: [null, name] },
  })
const writeMany = async (names: readonly string[]) => {
  for (const name of names) await write(database.sql, name)
}
/** Transactions elsewhere in the cluster that began before what was written hold up its sealing. */
async function untilOthersEnded(): Promise<void> {
  const [written] = await database.sql<
    { xid: string }[]
  >`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`
  for (;;) {
    const [oldest] = await database.sql<{ isLater: boolean }[]>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${written!.xid}::text::xid8 as "isLater"`
    if (oldest!.isLater) return
    await sleep(20)
  }
}
/**
 * Seals everything. Other transactions in the cluster may delay a seal for a moment. The entries of seals that were carried
 * over are counted once.
 */
async function seal(): Promise<number> {
  let [sealed, open] = [0, 1]
  while (open > 0) {
    sealed += await sealAudit(database.sql)
    const [row] = await database.sql<{ open: number }[]>`
      select (select count(*) from audit_entry) - (select coalesce(sum(entries), 0) from audit_seal
        where number > coalesce((select seals from audit_carry_over), 0)) as open`
    open = Number(row!.open)
  }
  return sealed
}
async function verify(): Promise<{ entries: number; brokenAt: number | null }> {
  const { entries, brokenAt } = await verifyAudit(database.sql)
  return { entries, brokenAt }
}
const findSeal = async (position: number) =>
  (
    await database.sql<{ number: number }[]>`
    select number from audit_seal s, audit_entry e
    where e.position = ${position} and e.xid >= s.from_xid and e.xid < s.to_xid`
  )[0]!.number
const countEntries = async () =>
  (await database.sql<{ count: number }[]>`select count(*) as count from audit_entry`)[0]!.count

/** What an attacker with all database rights can do. */
const tamper = (table: string, statement: string) =>
  inTransaction(database.sql, async (tx) => {
    await tx.unsafe(`alter table ${table} disable trigger user`)
    const { count } = await tx.unsafe(statement)
    await tx.unsafe(`alter table ${table} enable trigger user`)
    assert.equal(count, 1, 'the statement did something')
  })

describe('the chain', () => {
  test('is empty and valid at first', async () => {
    assert.equal(await seal(), 0)
    assert.deepEqual(await verify(), { entries: 0, brokenAt: null })
  })

  test('grows with written entries, and not without', async () => {
    await writeMany(['a', 'b'])
    assert.equal(await seal(), 2)
    assert.equal(await seal(), 0)
    await writeMany(['c'])
    assert.equal(await seal(), 1)
    assert.deepEqual(await verify(), { entries: 3, brokenAt: null })
  })

  test('has every entry once after many concurrent writes, while two nodes seal', async () => {
    const written = new AbortController()
    const sealing = [0, 1].map(async () => {
      while (!written.signal.aborted) await sealAudit(database.sql)
    })
    await Promise.all(
      Array.from({ length: 200 }, (_, number) =>
        inTransaction(database.sql, async (tx) => {
          await write(tx, `first of ${number}`)
          await write(tx, `second of ${number}`)
        }),
      ),
    )
    written.abort()
    await Promise.all(sealing)
    await seal()
    const { entries, brokenAt } = await verify()
    assert.deepEqual([entries, brokenAt], [400, null])
  })

  test('misses nothing that commits after later entries were sealed', async () => {
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
    const slow = inTransaction(database.sql, async (tx) => {
      await write(tx, 'slow')
      hasWritten()
      await held
    })
    await written
    await writeMany(['fast', 'faster'])
    assert.equal(await sealAudit(database.sql), 0, 'nothing behind an open transaction is sealed')
    goOn()
    await slow
    assert.equal(await seal(), 3)
    assert.deepEqual(await verify(), { entries: 3, brokenAt: null })
  })

  test('continues after a rollback', async () => {
    await writeMany(['a'])
    const failing = inTransaction(database.sql, async (tx) => {
      await write(tx, 'never')
      throw new Error('no')
    })
    await assert.rejects(failing)
    await writeMany(['b'])
    assert.equal(await seal(), 2)
    assert.equal((await verify()).brokenAt, null)
  })

  test('gives the same hashes in another time zone and date style', async () => {
    await writeMany(['a'])
    await seal()
    // For this database alone: others on the server belong to other tests.
    for (const setting of [`timezone = 'Asia/Kathmandu'`, `datestyle = 'German'`]) {
      const { pathname } = new URL(database.url)
      await database.sql.unsafe(`alter role current_user in database "${pathname.slice(1)}" set ${setting}`)
    }
    assert.equal((await verify()).brokenAt, null)
  })
})

/** A seal of version 1, as migrations before 007 made it, over the transactions up to before `toXid`. */
const insertFormerSeal = (toXid: number) =>
  inTransaction(database.sql, async (tx) => {
    await tx`alter table audit_seal disable trigger user`
    await tx`
      insert into audit_seal (number, after_position, from_xid, to_xid, entries, hash)
      select coalesce(s.number, 0) + 1, 0, coalesce(s.to_xid, 0), ${toXid}, d.entries,
        sha256(coalesce(s.hash, decode(repeat('00', 32), 'hex')) || d.digest)
      from (select) one
      left join (select * from audit_seal order by number desc limit 1) s on true
      cross join lateral (
        select count(*) as entries, sha256(coalesce(string_agg(
          sha256(convert_to(jsonb_build_array(e.position, e.xid, e.occurred_at, e.business_date, e.actor_id, e.request_id,
            e.operation, e.action, e.entity, e.entity_id, e.subject, e.changes)::text, 'UTF8')), ''::bytea
          order by e.xid, e.position), ''::bytea)) as digest
        from audit_entry e where e.xid >= coalesce(s.to_xid, 0) and e.xid < ${toXid}) d`
    await tx`alter table audit_seal enable trigger user`
  })
const findHorizon = async () =>
  (
    await database.sql<{ xid: number }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid`
  )[0]!.xid

const sealFormer = async () => {
  await untilOthersEnded()
  await insertFormerSeal(await findHorizon())
}

/** Two former seals with three entries, as the migration finds them. */
async function makeFormer(): Promise<void> {
  for (const names of [['a', 'b'], ['c']]) {
    await writeMany(names)
    await sealFormer()
  }
}

const columns =
  'occurred_at, business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes'
/** What is done to the entries, and the position of the entry whose seal is broken. */
const toEntries: [what: string, statement: string, position: number][] = [
  ['a changed entry', `update audit_entry set changes = '{}' where position = 3`, 3],
  [
    'a changed time',
    `update audit_entry set occurred_at = occurred_at - interval '1 ms' where position = 1`,
    1,
  ],
  ['a changed actor', `update audit_entry set actor_id = subject where position = 4`, 4],
  [
    'a changed event',
    `update audit_entry set id = subject, type = 'debtor.updated', sequence = 1, data = '{}' where position = 2`,
    2,
  ],
  ['a removed entry', 'delete from audit_entry where position = 2', 2],
  [
    'an entry slipped in',
    `insert into audit_entry (xid, ${columns}) select xid, ${columns} from audit_entry where position = 2`,
    2,
  ],
  [
    'an entry moved to another transaction',
    'update audit_entry set xid = (select xid from audit_entry where position = 3) where position = 1',
    1,
  ],
]
const toSeals: [what: string, statement: string, brokenAt: number][] = [
  ['a removed seal', 'delete from audit_seal where number = 2', 3],
  ['a changed seal', `update audit_seal set hash = sha256('x') where number = 1`, 1],
  ['a seal that covers less', 'update audit_seal set to_xid = from_xid + 1 where number = 1', 1],
]

describe('the chain is broken by', () => {
  beforeEach(async () => {
    for (const names of [['a', 'b'], ['c', 'd'], ['e']]) {
      await writeMany(names)
      await seal()
    }
    assert.deepEqual(await verify(), { entries: 5, brokenAt: null })
  })

  for (const [what, statement, position] of toEntries) {
    test(what, async () => {
      const broken = await findSeal(position)
      await tamper('audit_entry', statement)
      assert.equal((await verify()).brokenAt, broken)
    })
  }

  for (const [what, statement, brokenAt] of toSeals) {
    test(what, async () => {
      await tamper('audit_seal', statement)
      assert.equal((await verify()).brokenAt, brokenAt)
    })
  }
})

test('entries and seals cannot be changed or deleted', async () => {
  await writeMany(['a'])
  await seal()
  for (const table of ['audit_entry', 'audit_seal']) {
    for (const statement of [`delete from ${table}`, `truncate ${table}`]) {
      await assert.rejects(database.sql.unsafe(statement), /append-only/, statement)
    }
  }
  await assert.rejects(database.sql`update audit_entry set operation = 'x'`, /append-only/)
  await assert.rejects(database.sql`update audit_seal set entries = 0`, /append-only/)
  assert.equal((await verify()).entries, 1)
})

for (const settled of [false, true]) {
  const how = settled ? ', and whose feed has been settled' : ''
  describe(`a database restored into another cluster, whose transaction numbers are lower${how}`, () => {
    const former = 1_000_000_000_000

    /** The state left by a cluster with high transaction numbers: two sealed transactions and an unsealed one. */
    beforeEach(async () => {
      const { sql } = database
      for (const number of [0, 1, 2]) {
        await write(sql, `before ${number}`)
        await sql.unsafe('alter table audit_entry disable trigger user')
        await sql`update audit_entry set xid = ${former + number}, feed_xid = ${former + number} where xid < ${former}`
        await sql.unsafe('alter table audit_entry enable trigger user')
      }
      for (const number of [1, 2]) await insertFormerSeal(former + number)
      assert.equal(await carryOverSeals(sql), 2)
      if (settled) await sql`update audit_entry set feed_xid = 0`
      assert.deepEqual(await verify(), { entries: 2, brokenAt: null })
    })

    test('starts a new era: everything is sealed, including the unsealed rest', async () => {
      await writeMany(['after 0', 'after 1'])
      await untilOthersEnded()
      assert.equal(await seal(), 3)
      assert.equal(await seal(), 0)
      await writeMany(['after 2'])
      await untilOthersEnded()
      assert.equal(await seal(), 1)
      const { entries, brokenAt } = await verify()
      assert.deepEqual([entries, brokenAt], [await countEntries(), null])
    })

    test('is sealed when nothing was written since', async () => {
      await untilOthersEnded()
      assert.equal(await seal(), 1)
      await writeMany(['after'])
      await untilOthersEnded()
      assert.equal(await seal(), 1)
      assert.deepEqual(await verify(), { entries: 4, brokenAt: null })
    })

    test('shows changes to entries of either era', async () => {
      await writeMany(['after 0'])
      await seal()
      for (const position of [1, 2, 3, 4]) {
        const change = (to: string) =>
          tamper('audit_entry', `update audit_entry set operation = '${to}' where position = ${position}`)
        await change('other')
        assert.notEqual((await verify()).brokenAt, null, `position ${position}`)
        await change('test')
        assert.equal((await verify()).brokenAt, null)
      }
    })

    test('can be restored again', async () => {
      await writeMany(['after 0'])
      await seal()
      // As if the last seal had been made with higher numbers: its hash covers that too.
      await tamper(
        'audit_seal',
        `update audit_seal s set to_xid = ${former * 2}, hash = sha256(
         (select hash from audit_seal before where before.number = s.number - 1)
         || (select sha256(string_agg(sha256(convert_to(jsonb_build_array(e.position, e.xid, e.occurred_at, e.business_date,
               e.actor_id, e.request_id, e.operation, e.action, e.entity, e.entity_id, e.subject, (select string_agg(
               audit_member_digest(e.salt, e.member_salts, key, value) || length(key) || ':' || key, ',')
               from jsonb_each(e.changes)), e.id, e.type,
               e.version, e.sequence, e.data)::text, 'UTF8')), '' order by e.xid, e.position))
             from audit_entry e where e.xid >= s.from_xid and e.xid < s.to_xid and e.position > s.after_position)
         || convert_to(jsonb_build_array(3, s.number, s.after_position, s.from_xid, ${former * 2}, s.entries)::text, 'UTF8'))
       where number = (select max(number) from audit_seal)`,
      )
      await writeMany(['after the second'])
      await seal()
      const { entries, brokenAt } = await verify()
      assert.deepEqual([entries, brokenAt], [await countEntries(), null])
    })
  })
}

const lie = (set: string) =>
  tamper('audit_seal', `update audit_seal set ${set} where number = (select max(number) from audit_seal)`)

describe('a seal covers its own number and range', () => {
  const lies = [
    'to_xid = to_xid + 1',
    'number = number + 1',
    'from_xid = from_xid + 1',
    'after_position = -1',
    'version = 1',
  ]
  for (const set of lies) {
    test(`and is broken by ${set}, though the entries are the same`, async () => {
      await writeMany(['a'])
      await seal()
      await lie(set)
      const seals = await database.sql`select from audit_seal`
      const { brokenAt } = await verify()
      assert.ok(brokenAt === seals.length || brokenAt === seals.length + 1, `broken at ${brokenAt}`)
    })
  }

  test('older seals without that still hold, but none is accepted after a newer one', async () => {
    await writeMany(['a'])
    await sealFormer()
    await writeMany(['b'])
    await sealFormer()
    assert.equal((await verify()).brokenAt, null)
    await writeMany(['c'])
    await seal()
    assert.equal((await verify()).brokenAt, null)
    const versions = await database.sql<{ version: number }[]>`select version from audit_seal order by number`
    assert.deepEqual([versions[0]!.version, versions.at(-1)!.version], [1, 3])
    const count = versions.length
    await writeMany(['d'])
    await sealFormer()
    assert.equal((await verify()).brokenAt, count + 1)
  })
})

describe('former seals', () => {
  test('are carried over once: their entries are covered again, and the chain continues', async () => {
    await makeFormer()
    assert.equal(await carryOverSeals(database.sql), 3)
    assert.equal(await carryOverSeals(database.sql), 0)
    await writeMany(['d'])
    assert.equal(await seal(), 1)
    const { entries, brokenAt, formerBrokenAt, seals } = await verifyAudit(database.sql)
    assert.deepEqual([entries, seals, brokenAt, formerBrokenAt], [4, 4, null, null])
  })

  test('of which one did not hold are carried over, and the verification goes on saying so', async () => {
    await makeFormer()
    await tamper('audit_entry', `update audit_entry set operation = 'forged' where position = 3`)
    await carryOverSeals(database.sql)
    const { brokenAt, formerBrokenAt } = await verifyAudit(database.sql)
    assert.deepEqual([brokenAt, formerBrokenAt], [null, 2])
    await tamper('audit_carry_over', 'update audit_carry_over set broken_at = null')
    assert.equal((await verifyAudit(database.sql)).brokenAt, 3)
  })

  test('and their record stay covered', async () => {
    await makeFormer()
    await carryOverSeals(database.sql)
    await tamper('audit_seal', `update audit_seal set hash = sha256('x') where number = 1`)
    assert.equal((await verify()).brokenAt, 3)
  })

  test('are no longer made: a node of an older version is refused', async () => {
    const add = database.sql`
      insert into audit_seal (number, after_position, from_xid, to_xid, entries, hash, version)
      values (1, 0, 0, 1, 0, sha256(''), 2)`
    await assert.rejects(async () => await add, /update this node/)
  })
})
