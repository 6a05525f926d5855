import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { migrate } from '../../server/platform/database/schema/migrate.ts'
import { makeBgMax } from '../../server/testing/records/files.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { runHere } from '../testing/run-here.ts'

let folder = ''
let database: TestDatabase
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fordra-payments-'))
  await chmod(folder, 0o711)
  database = await openTestDatabase()
  await migrate(database.url, () => {})
})
after(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(content: string | null, ...options: string[]) {
  const file = join(folder, 'file.txt')
  await (content === null ? rm(file, { force: true }) : writeFile(file, content))
  const words = ['import', 'payment-file', file, ...options]
  return runHere(words, { cwd: folder, env: { DATABASE_URL: database.url } })
}

const file = makeBgMax(
  [
    { reference: '1234567806', amount: 100 },
    { reference: null, amount: 200 },
  ],
  { date: '20260102' },
)

test('fordra import payment-file books a file once and reports it', async () => {
  const first = await run(file, '--json')
  assert.equal(first.code, 3, first.err)
  const { paymentFileGuid, seconds, ...counts } = JSON.parse(first.out) as Record<string, unknown>
  assert.deepEqual(counts, {
    isNew: true,
    format: 'BGMAX',
    entries: 2,
    booked: 0,
    suspended: 2,
    alreadyThere: 0,
    notBooked: 0,
  })
  assert.ok(Number(seconds) > 0)
  const again = await run(file)
  assert.match(again.out, /file.txt \(BGMAX\): 2 entries/)
  assert.match(again.out, /had come before: nothing of it is booked twice/)
  const rows = await database.sql`select id from payment_file`
  assert.deepEqual(
    rows.map(({ id }) => id as string),
    [paymentFileGuid],
  )
})

test('a file with a fault, and one that there is not, are refused', async () => {
  const wrong = await run(file.slice(0, -82))
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /without the end record \(70\)/)
  const missing = await run(null)
  assert.equal(missing.code, 1)
  assert.match(missing.err, /There is no file/)
})

test('an import on a new day first brings what depends on the date to that day', async () => {
  const [debtor] = await database.sql<{ id: string }[]>`
    insert into debtor (id, full_name, date_of_birth, under_aged, reg_date)
    values (gen_random_uuid(), 'Grown up', now() - interval '18 years', true, now()) returning id`
  await database.sql`update business_clock set business_date = business_date - 7`
  await run(file)
  const [now] = await database.sql<{ minor: boolean; isToday: boolean }[]>`
    select under_aged as minor, business_date >= current_date - 1 as "isToday" from debtor, business_clock
    where id = ${debtor!.id}`
  assert.deepEqual(now, { minor: false, isToday: true })
})
