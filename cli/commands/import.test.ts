import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { openDatabase } from '../../server/platform/database/database.ts'
import { startEmbedded } from '../../server/platform/database/embedded/start-embedded.ts'
import { migrate } from '../../server/platform/database/schema/migrate.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'

const program = join(import.meta.dirname, '../main.ts')
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fordra-import-'))
  await chmod(folder, 0o711)
})
after(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  code: number | null
  signal: string | null
  out: string
  err: string
}

class Command {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  out = ''
  err = ''

  constructor(args: string[], environment: Record<string, string>) {
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      // Only these settings, and no .env file of the user.
      cwd: folder,
      env: childEnvironment(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout!.on('data', (text) => (this.out += String(text)))
    this.child.stderr!.on('data', (text) => (this.err += String(text)))
    this.ended = once(this.child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string | null,
      out: this.out,
      // Progress lines appear only when a machine is slow.
      err: this.err.replaceAll(/^ *\d+% .*\n/gm, ''),
    }))
  }
}

let files = 0
async function write(content: string | Buffer, name = `${++files}.csv`): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, content)
  return file
}

const manyRows = (count: number) => {
  const rows = Array.from({ length: count }, (_, n) => `R${n},Name ${n},Storgatan,${n},211 42,Malmö,SE\n`)
  return `sourceReference,lastname,street,houseNo,zipCode,city,countryCode\n${rows.join('')}`
}

describe('fordra import debtors', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const begin = (...args: string[]) => new Command(['import', ...args], { DATABASE_URL: database.url })
  const run = (...args: string[]) => begin(...args).ended
  const countRecords = async () => {
    const [found] = await database.sql<
      { debtors: number; addresses: number; events: number; entries: number }[]
    >`
      select (select count(*) from debtor) as debtors, (select count(*) from address) as addresses,
        (select count(*) from event) as events, (select count(*) from audit_entry) as entries`
    return { ...found! }
  }

  test('ends with 0 and a report when every row is imported', async () => {
    const { code, out, err } = await run('debtors', await write('sourceReference,lastname\n1,Ek\n2,Al\n'))
    assert.deepEqual([code, err], [0, ''])
    assert.match(
      out,
      /^\d+\.csv, source 'import': 2 rows in [\d.]+ s, [\d,]+ rows\/s\n {2}inserted +2\n {2}already there +0\n {2}rejected +0\n$/,
    )
  })

  test('imports parties and users in the same way', async () => {
    await database.sql`insert into party (id, reference_code, name) values (gen_random_uuid(), 'AGENCY', 'Agency')`
    const parties = await run('parties', await write('partyReferenceCode,name\nKUND,Kund AB\n'))
    assert.deepEqual([parties.code, parties.err], [0, ''])
    const users = await write(
      'E-post;fullName;partyReferenceCode;userRole\neva@kund.example;Eva;KUND;9\nx;X;KUND;9\n',
    )
    const { code, out } = await run('users', users, '--map', 'E-post=email')
    assert.equal(code, 3)
    assert.match(out, /inserted +1\n {2}already there +0\n {2}rejected +1, see/)
    const [found] = await database.sql`select email, password_hash from app_user`
    assert.deepEqual({ ...found }, { email: 'eva@kund.example', password_hash: null })
  })

  test("imports client records; an amount without a currency has the installation's", async () => {
    await database.sql`insert into party (id, reference_code, name) values (gen_random_uuid(), 'AGENCY', 'Agency')`
    await run('parties', await write('partyReferenceCode,name\nKUND,Kund AB\n'))
    const file = await write('partyReferenceCode,purchaseNumber,amount\nKUND,P-1,99.50\n')
    assert.equal((await run('purchases', file)).code, 0)
    assert.match((await run('purchases', file)).out, /inserted +0\n {2}already there +1\n/)
    const [found] = await database.sql`select amount_minor, currency_code from purchase`
    assert.deepEqual({ ...found }, { amount_minor: 9950, currency_code: 'SEK' })
  })

  test('gives --client to the rows that name no client', async () => {
    await database.sql`insert into party (id, reference_code, name) values (gen_random_uuid(), 'AGENCY', 'Agency')`
    await run('parties', await write('partyReferenceCode,name\nKUND,Kund AB\nALLA,Alla AB\n'))
    const file = await write('partyReferenceCode,accountNumber\nKUND,A-1\n,A-2\n')
    const { code, err } = await run('accounts', file, '--client', 'ALLA')
    assert.deepEqual([code, err], [0, ''])
    const found = await database.sql<{ number: string; client: string }[]>`
      select a.account_number as number, p.reference_code as client from account a join party p on p.id = a.client_id
      order by 1`
    assert.deepEqual(
      found.map(({ number, client }) => [number, client]),
      [
        ['A-1', 'KUND'],
        ['A-2', 'ALLA'],
      ],
    )
  })

  test('ends with 3 when rows were rejected, and names the report', async () => {
    const file = await write('lastname,gender\nEk,9\nAl,1\n')
    const { code, out } = await run('debtors', file, '--rejected', join(folder, 'bad.csv'))
    assert.equal(code, 3)
    assert.match(out, /rejected +1, see .*bad\.csv\n2 rows have no sourceReference/)
    assert.match(
      await readFile(join(folder, 'bad.csv'), 'utf8'),
      /\r\n2,,gender,"must be one of 0, 1, 2\."\r\n$/,
    )
  })

  test('prints the report as JSON', async () => {
    const file = await write('Nr;Namn\n1;Ek\n1;Al\n')
    const { code, out } = await run(
      'debtors',
      '--json',
      '--map',
      'Nr=sourceReference',
      '--map',
      'Namn=lastname',
      '--source',
      'old',
      file,
    )
    const { seconds, rowsPerSecond, runId, ...report } = JSON.parse(out) as Record<string, unknown>
    assert.equal(code, 3)
    assert.deepEqual([typeof seconds, typeof rowsPerSecond, typeof runId], ['number', 'number', 'string'])
    assert.deepEqual(report, {
      file,
      source: 'old',
      complete: true,
      rows: 2,
      inserted: 1,
      alreadyThere: 0,
      rejected: 1,
      withoutReference: 0,
      rejectedFile: `${file}.rejected.csv`,
    })
  })

  const failures: [name: string, args: () => Promise<string[]>, message: RegExp][] = [
    [
      'a heading that is no field',
      async () => ['debtors', await write('lastname,town\nEk,x\n')],
      /'town' is no field/,
    ],
    ['a file that is not there', async () => ['debtors', join(folder, 'none.csv')], /There is no file/],
    ['a folder', async () => ['debtors', folder], /is a folder/],
    ['a file of nothing', async () => ['debtors', await write('')], /is empty/],
    [
      'another kind of record',
      async () => ['planets', await write('lastname\n')],
      /'planets' cannot be imported/,
    ],
    [
      'doubles of users',
      async () => ['users', '--allow-duplicates', await write('email\n')],
      /--allow-duplicates goes with debtors/,
    ],
    [
      'a column of another kind of record',
      async () => ['parties', await write('partyReferenceCode,lastname\n')],
      /'lastname' is no field/,
    ],
    [
      'a country that there is not',
      async () => ['debtors', '--country', 'XX', await write('lastname\nEk\n')],
      /'XX' is not a country/,
    ],
    [
      'a client that there is not',
      async () => ['cases', '--client', 'NOBODY', await write('principal\n1\n')],
      /'NOBODY' is not the code or GUID of a client/,
    ],
    [
      'an unknown encoding',
      async () => ['debtors', '--encoding', 'ebcdic', await write('lastname\n')],
      /'ebcdic' is no encoding/,
    ],
    [
      'an unknown delimiter',
      async () => ['debtors', '--delimiter', 'x', await write('lastname\n')],
      /'x' is no delimiter/,
    ],
    [
      'a source without a name',
      async () => ['debtors', '--source', '', await write('lastname\n')],
      /'' is not a valid source name/,
    ],
  ]
  for (const [name, args, message] of failures) {
    test(`ends with 1 for ${name}, with a message and without a stack trace`, async () => {
      const { code, out, err } = await run(...(await args()))
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, message)
      assert.ok(!/\n\s+at /.test(err), err)
      assert.deepEqual(await countRecords(), { debtors: 0, addresses: 0, events: 0, entries: 0 })
    })
  }

  test('looks at the file before it looks for a database', async () => {
    const missing = new Command(['import', 'debtors', join(folder, 'none.csv')], {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    })
    const { code, err } = await missing.ended
    assert.equal(code, 1)
    assert.match(err, /There is no file/)
  })

  test('killed and started again, it imports each row exactly once, beside rows that are not UTF-8', async () => {
    const count = 12_000
    const damaged = Buffer.from('X1,Sj\xf6,,,,,\nX2,A\0l,,,,,\n', 'latin1')
    const rows = Buffer.from(manyRows(count))
    const middle = rows.indexOf(`R${count / 4},`)
    const file = await write(
      Buffer.concat([rows.subarray(0, middle), damaged, rows.subarray(middle), damaged]),
    )
    for (const atLeast of [1000, 5000]) {
      const command = begin('debtors', file)
      for (let found = 0; found < atLeast && command.child.exitCode === null;) {
        found = (await countRecords()).debtors
      }
      command.child.kill('SIGKILL')
      assert.equal((await command.ended).signal, 'SIGKILL')
      const { debtors, ...others } = await countRecords()
      assert.ok(debtors >= atLeast && debtors < count, `${debtors} debtors when it was killed`)
      assert.deepEqual(others, { addresses: debtors, events: 2 * debtors, entries: 2 * debtors })
    }
    const countBefore = (await countRecords()).debtors
    const { code, out } = await run('debtors', '--json', file)
    const report = JSON.parse(out) as { inserted: number; alreadyThere: number; rejected: number }
    assert.deepEqual([code, report.rejected], [3, 4])
    assert.deepEqual(await countRecords(), {
      debtors: count,
      addresses: count,
      events: 2 * count,
      entries: 2 * count,
    })
    assert.ok(report.alreadyThere >= countBefore)
    assert.equal(report.inserted + report.alreadyThere, count)
    const [distinct] = await database.sql`select count(distinct source_reference) as count from debtor`
    assert.equal(distinct!['count'], count)
  })

  test('interrupted, it ends after the rows in flight and says how to continue', async () => {
    const count = 12_000
    const file = await write(manyRows(count))
    const command = begin('debtors', file)
    while ((await countRecords()).debtors === 0 && command.child.exitCode === null) await sleep(5)
    command.child.kill('SIGINT')
    const { code, out, err } = await command.ended
    assert.equal(code, 130)
    assert.match(err, /Stopping after the rows that are on their way/)
    assert.match(
      out,
      /Interrupted before the end of the file\. Run the same command again: it goes on from here\./,
    )
    const { debtors, events } = await countRecords()
    assert.ok(debtors < count)
    assert.equal(events, 2 * debtors)
    assert.match(out, new RegExp(`inserted +${debtors.toLocaleString('en-US')}\\n`))
    assert.equal((await run('debtors', file)).code, 0)
    assert.equal((await countRecords()).debtors, count)
  })

  test('when the database goes down, it says that it can be run again', async () => {
    const file = await write(manyRows(12_000))
    const command = begin('debtors', file)
    while ((await countRecords()).debtors === 0 && command.child.exitCode === null) await sleep(5)
    // Repeatedly: between two statements the command could reconnect and succeed.
    while (command.child.exitCode === null) {
      await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fordra import'`
    }
    const { code, err } = await command.ended
    assert.equal(code, 1)
    assert.match(
      err,
      /The import failed: .*\nAt least \d+ debtors are in and stay\. Run the same command again/,
    )
    assert.equal((await run('debtors', file)).code, 0)
    assert.equal((await countRecords()).debtors, 12_000)
  })
})

test('an import works beside a running Fordra with the embedded database', async () => {
  const dataFolder = join(folder, 'data')
  const server = await startEmbedded({ dataFolder, durable: false, report: () => {} })
  try {
    await migrate(server.url, () => {})
    const file = await write('lastname\nEk\nAl\n')
    const { code, err } = await new Command(['import', 'debtors', file], { FORDRA_DATA: dataFolder }).ended
    assert.deepEqual([code, err], [0, ''])
    const sql = openDatabase(server.url, { max: 1 })
    assert.equal((await sql`select from debtor`).length, 2)
    await sql.end()
  } finally {
    await server.stop()
  }
  const { code, out } = await new Command(['import', 'debtors', join(folder, `${files}.csv`)], {
    FORDRA_DATA: dataFolder,
  }).ended
  assert.equal(code, 0, 'and by itself when nobody has')
  assert.match(out, /already there +2/)
})
