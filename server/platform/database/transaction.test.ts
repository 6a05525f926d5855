import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { openDatabase, type Database } from './database.ts'
import { inTransaction, type Db } from './transaction.ts'

let database: TestDatabase
let sql: Database
before(async () => {
  database = await openTestDatabase()
  await database.sql`create table mark (id int)`
  // With one connection, whatever happens to it affects the next statement.
  sql = openDatabase(database.url, { max: 1 })
})
beforeEach(() => database.sql`delete from mark`)
after(async () => {
  await sql.end({ timeout: 1 })
  await database.close()
})

const marks = async () =>
  (await database.sql<{ id: number }[]>`select id from mark order by id`).map(({ id }) => id)
const findBackend = async (db: Db) => (await db<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
const kill = async (pid: number) => {
  await database.sql`select pg_terminate_backend(${pid})`
  while ((await database.sql`select from pg_stat_activity where pid = ${pid}`).length > 0);
}

/** The next statement may still fail with the old connection; the one after it must not. */
async function requireRecovery(): Promise<void> {
  await sql`select 1`.catch(() => {})
  assert.equal((await sql<{ one: number }[]>`select 1 as one`)[0]!.one, 1)
  await inTransaction(sql, async (tx) => {
    await tx`insert into mark values (99)`
  })
  assert.deepEqual(await marks(), [99])
}

test('a transaction is all or nothing, and a nested one is part of it', async () => {
  await inTransaction(sql, async (tx) => {
    await tx`insert into mark values (1)`
    await inTransaction(tx, (inner) => inner`insert into mark values (2)`)
  })
  const failing = inTransaction(sql, async (tx) => {
    await tx`insert into mark values (3)`
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.deepEqual(await marks(), [1, 2])
})

test('a finished transaction accepts no more statements', async () => {
  let kept: Db | undefined
  await inTransaction(sql, async (tx) => {
    kept = tx
  })
  assert.throws(() => kept!`insert into mark values (1)`, /transaction is over/)
  assert.deepEqual(await marks(), [])
})

describe('a connection that is cut', () => {
  test('while a statement runs', async () => {
    const cut = inTransaction(sql, async (tx) => {
      await tx`insert into mark values (1)`
      const pid = await findBackend(tx)
      setImmediate(() => void kill(pid))
      await tx`select pg_sleep(60)`
    })
    await assert.rejects(cut)
    await requireRecovery()
  })

  test('while the transaction is idle', async () => {
    const cut = inTransaction(sql, async (tx) => {
      await tx`insert into mark values (1)`
      await kill(await findBackend(tx))
      await tx`insert into mark values (2)`
    })
    await assert.rejects(cut)
    await requireRecovery()
  })

  test('while others wait for it: none of its statements runs in their transactions', async () => {
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
    const cut = inTransaction(sql, async (tx) => {
      await tx`insert into mark values (1)`
      const pid = await findBackend(tx)
      setImmediate(() => void kill(pid))
      await held
      await tx`insert into mark values (2)`
    })
    const next = inTransaction(sql, async (tx) => {
      await tx`insert into mark values (3)`
      goOn()
      await tx`select pg_sleep(0.1)`
    })
    await assert.rejects(cut)
    await next.catch(() => {})
    assert.ok(!(await marks()).includes(2))
    await database.sql`delete from mark`
    await requireRecovery()
  })

  test("fails only its own: a transaction hit by another one's failure is rolled back", async () => {
    const other = openDatabase(database.url, { max: 1 })
    const failing = inTransaction(sql, async (tx) => {
      await tx`insert into mark values (1)`
      await kill(await findBackend(other))
      await other`select 1`
      await other`select 1`
      throw Object.assign(new Error('as if the other had noticed'), { code: 'CONNECTION_CLOSED' })
    })
    await assert.rejects(failing)
    await other.end({ timeout: 1 })
    assert.deepEqual(await marks(), [])
    await requireRecovery()
  })
})

test('a reserved connection is given also where it must be opened first, and returns to the pool', async () => {
  const pool = openDatabase(database.url, { max: 2 })
  const held = await Promise.all([pool.reserve(), pool.reserve()])
  assert.equal(new Set(await Promise.all(held.map(findBackend))).size, 2)
  const waiting = pool.reserve()
  held[0]!.release()
  const third = await waiting
  third.release()
  held[1]!.release()
  await pool.end({ timeout: 5 })
})

test('a renewed pool has other connections, those in use after they come back', async () => {
  const pool = openDatabase(database.url, { max: 2 })
  const used = await pool.reserve()
  const [first, second] = [await findBackend(used), await findBackend(pool)]
  pool.renew()
  assert.equal(await findBackend(used), first)
  used.release()
  const now = await Promise.all([1, 2].map(() => findBackend(pool)))
  assert.ok(!now.includes(first) && !now.includes(second), `${now.join()} of ${first}, ${second}`)
  await pool.end({ timeout: 5 })
})

// A former driver lost acknowledged writes after a BEGIN as the hundredth outstanding statement of a connection.
test(
  'many statements and transactions at once lose nothing that was answered',
  { timeout: 60_000 },
  async () => {
    for (const max of [1, 2, 16]) {
      const pool = openDatabase(database.url, { max })
      await Promise.all(Array.from({ length: max }, () => pool`select pg_sleep(0.01)`))
      // A connection runs one statement and queues up to a hundred more.
      for (let outstanding = 98 * max; outstanding <= 103 * max; outstanding += Math.ceil(max / 3)) {
        const earlier = Array.from({ length: outstanding }, () => pool`select 1`.execute())
        const answered: number[] = []
        const writes = Array.from({ length: 80 }, (_, id) => {
          const insert = (db: Db) => db`insert into mark values (${id})`
          return (id % 2 === 0 ? inTransaction(pool, insert) : insert(pool)).then(() => answered.push(id))
        })
        const failed = (await Promise.allSettled([...earlier, ...writes])).filter(
          ({ status }) => status === 'rejected',
        )
        assert.deepEqual(failed, [], `${outstanding} outstanding on ${max} connections`)
        assert.deepEqual(
          await marks(),
          answered.toSorted((a, b) => a - b),
        )
        await database.sql`delete from mark`
      }
      await pool.end({ timeout: 5 })
    }
  },
)
