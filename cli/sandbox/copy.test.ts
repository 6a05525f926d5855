/** `fordra sandbox`: a masked copy that is whole, works, and sends nothing. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkIdNumber } from '../../core/identity/id-number.ts'
import { bankAccountFault } from '../../core/identity/bank-account.ts'
import type { DebtorListItem } from '../../contract/parties/debtors.ts'
import type { SystemInformation } from '../../contract/metadata/system.ts'
import { demoLogins } from '../../server/access/users/demo-agency.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { verifyTrust } from '../../server/treasury/bank-files/verify-trust.ts'
import { listTables, quoteName } from '../../server/platform/backups/archive.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { createSenders } from '../../server/platform/messages/send.ts'
import { sealAudit, verifyAudit } from '../../server/platform/events/audit-seal.ts'
import { isWhole } from '../../server/platform/events/describe-audit.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { listKinds } from '../../server/insight/sandbox/masks/column-kinds.ts'
import { collectKnownWords } from '../../server/insight/sandbox/masks/known-words.ts'
import { fillDemo } from '../testing/fill-demo.ts'
import { runFordra } from '../testing/run-fordra.ts'
import { runHere } from '../testing/run-here.ts'

const today = '2026-06-15'
const folder = mkdtempSync(join(tmpdir(), 'fordra-sandbox-'))
// Root's embedded database runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711)

let api: TestApi
let target: TestDatabase
let sandbox: TestApi
let login: { login: string; password: string }

const run = (args: string[], env: Record<string, string> = {}) =>
  runFordra(['sandbox', ...args], { cwd: folder, env: { DATABASE_URL: api.databaseUrl, ...env } })

before(async () => {
  api = await startApi()
  await fillDemo(api, today)
  await api.sql`insert into message (id, kind, channel, recipient, language, subject, body, expires_at)
    values (gen_random_uuid(), 'service', 'email', 'anna@secret.example', 'sv', 'Hej', 'Hej Anna', now() + interval '1 day')`
  target = await openTestDatabase()
  const made = await run(['--database', target.url, '--json'])
  assert.equal(made.code, 0, made.err)
  ;({ login } = JSON.parse(made.out) as { login: typeof login })
  // As its source is started: with everything that could send.
  sandbox = await api.startNode(
    {
      FORDRA_SMTP_URL: 'smtp://127.0.0.1:1',
      FORDRA_MAIL_FROM: 'Agency <agency@example.com>',
      FORDRA_SMS_URL: 'http://127.0.0.1:1',
      FORDRA_LETTERS: folder,
      FORDRA_PRIVATE_TARGETS: '1',
    },
    target.url,
  )
})
after(async () => {
  await sandbox.close()
  await target.close()
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

async function signIn(): Promise<string> {
  const { body, status, text } = await sandbox.call<{ accessToken: string }>('POST', '/auth/login', {
    token: null,
    body: login,
  })
  assert.equal(status, 200, text)
  return body.accessToken
}

/** The values of every column whose values must not come along, long enough to tell something. */
async function listPersonal(sql: Sql): Promise<Set<string>> {
  const found = new Set<string>()
  // Users of the demo are called `contact` and `creditor`.
  const known = collectKnownWords(demoLogins.map((one) => one.login.split('@')[0]!))
  for (const { table, columns } of await listTables(sql)) {
    for (const { column, kind } of listKinds(table.replace('public.', ''))) {
      if (!columns.includes(column) || !personalKinds.has(kind)) continue
      const rows = await sql.unsafe<{ value: string }[]>(
        `select distinct ${quoteName(column)}::text as value from ${quoteName(table)} where length(${quoteName(column)}::text) > 5`,
      )
      for (const { value } of rows) if (!known.has(value)) found.add(value)
    }
  }
  return found
}
const personalKinds = new Set(['words', 'text', 'code', 'token', 'email', 'phone', 'idNumber', 'bank'])

const countRows = async (sql: Sql) => {
  const [row] = await sql`
    select (select count(*)::int from debtor) as debtors, (select count(*)::int from debt_case) as cases,
      (select sum(amount)::text from payment) as paid, (select sum(amount)::text from payment_plan_payment) as planned,
      (select count(*)::int from item) as items, (select count(*)::int from note) as notes`
  return row!
}

const readBirths = async (sql: Sql) => {
  const found = await sql<{ id: string; born: string }[]>`
    select id, date_of_birth::text as born from debtor where date_of_birth is not null`
  return new Map(found.map((one) => [one.id, one.born]))
}

const refused = async (args: string[], says: RegExp, env: Record<string, string> = {}) => {
  const settings = { DATABASE_URL: api.databaseUrl, ...env }
  const { code, out, err } = await runHere(['sandbox', ...args], { cwd: folder, env: settings })
  assert.deepEqual([code, out], [1, ''], err)
  assert.match(err, says)
}

describe('a sandbox', () => {
  test('has every case and payment of its source, and its books and trail are right', async () => {
    assert.deepEqual(await countRows(target.sql), await countRows(api.sql))
    assert.deepEqual((await verifyLedger(target.sql)).faults, [])
    assert.deepEqual(await verifyTrust(target.sql), [])
    await sealAudit(target.sql)
    const audit = await verifyAudit(target.sql)
    assert.ok(isWhole(audit) && audit.entries > 1000, JSON.stringify(audit))
  })

  test('holds no personal value of its source, in no table', async () => {
    const personal = await listPersonal(api.sql)
    assert.ok(personal.size > 400, `${personal.size} values were looked for`)
    for (const { table } of await listTables(target.sql)) {
      const rows = await target.sql.unsafe<{ row: string }[]>(
        `select t::text as row from ${quoteName(table)} t`,
      )
      const whole = rows.map(({ row }) => row).join('\n')
      const found = [...personal].filter((value) => whole.includes(value))
      assert.deepEqual(found, [], table)
    }
  })

  test('has valid identity numbers, accounts and addresses, and no two alike', async () => {
    const rows = await target.sql<{ number: string; country: string; born: string | null }[]>`
      select id_number as number, id_country_code as country, to_char(date_of_birth, 'YYYY-MM-DD') as born
      from debtor where id_number is not null`
    assert.ok(rows.length > 40)
    assert.equal(new Set(rows.map(({ number }) => number)).size, rows.length)
    for (const { number, country, born } of rows) {
      const checked = checkIdNumber({ idNumber: number, countryCode: country, juridicalType: null, today })
      assert.ok(checked.ok, `${country} ${number}`)
      if (checked.dateOfBirth !== null) assert.equal(checked.dateOfBirth, born, number)
    }
    const [real, masked] = [await readBirths(api.sql), await readBirths(target.sql)]
    assert.ok(real.size > 40)
    for (const [id, date] of real) {
      assert.notEqual(masked.get(id), date)
      assert.equal(masked.get(id)!.slice(0, 7), date.slice(0, 7))
    }
    const [agency] = await target.sql<{ account: string }[]>`
      select bank_account_no as account from party where parent_id is null`
    assert.equal(bankAccountFault(agency!.account), null)
    const [mail] = await target.sql`
      select count(*)::int as other from debtor where email is not null and email not like '%@example.org'`
    assert.equal(mail!['other'], 0)
  })

  test('finds a debtor by its masked name, which is the same on its cases', async () => {
    const token = await signIn()
    const { body } = await sandbox.call<{ value: DebtorListItem[] }>('GET', '/debtors?$top=1', { token })
    const { fullName, debtorGuid } = body.value[0]!
    const hits = await sandbox.call<{ items: { guid: string }[] }>(
      'GET',
      `/search?q=${encodeURIComponent(fullName!)}`,
      { token },
    )
    assert.ok(
      JSON.stringify(hits.body).includes(debtorGuid),
      `${fullName} among ${hits.status} ${hits.text.slice(0, 300)}`,
    )
    const [named] = await target.sql`
      select count(*)::int as other from case_debtor c join debtor d on d.id = c.debtor_id where c.full_name <> d.full_name`
    assert.equal(named!['other'], 0)
  })

  test('says that it is one, and has a clock of its own', async () => {
    const token = await signIn()
    const { body } = await sandbox.call<SystemInformation>('GET', '/system/information', { token })
    assert.deepEqual([body.sandbox, body.systemDate], [true, `${today}T00:00:00Z`])
    const source = await api.call<SystemInformation>('GET', '/system/information')
    assert.equal(source.body.sandbox, false)
    await api.setDate('2026-06-20')
    await sandbox.app.service.clock.roll()
    assert.equal(sandbox.app.service.clock.today(), today)
    await api.setDate(today)
  })

  test('has no messages, sessions, sign-ins, webhooks or jobs of its source', async () => {
    const [row] = await target.sql`
      select (select count(*) from message) + (select count(*) from session_token where session_id in
          (select id from session where created_at < (select copied_at from sandbox)))
        + (select count(*) from app_user where password_hash is not null and email <> ${login.login})
        + (select count(*) from webhook) + (select count(*) from graphile_worker._private_jobs) as any`
    assert.equal(Number(row!['any']), 0)
    const [source] = await api.sql`select count(*)::int as any from app_user where password_hash is not null`
    assert.ok(source!['any'] > 5)
  })
})

describe('a sandbox is held back', () => {
  test('whatever its settings say: nothing is sent, nobody is called', async () => {
    const { service } = sandbox.app
    assert.deepEqual(
      Object.keys(service.settings).filter((name) => /SMTP|MAIL|SMS|LETTERS|TSA|OIDC|OTLP/.test(name)),
      ['FORDRA_OIDC_NAME', 'FORDRA_OIDC_TRUST_MFA', 'FORDRA_TSA_MINUTES'],
    )
    assert.deepEqual(createSenders(service.settings), {})
    await assert.rejects(
      service.outbound.post('http://127.0.0.1:1/hook', {
        headers: {},
        body: '{}',
        timeoutMs: 1000,
        bytesMax: 1000,
      }),
      /This is a sandbox: it calls no other host/,
    )
  })

  test('its audit trail is anchored in a folder of its own', async () => {
    const [mark] = await target.sql<{ id: string }[]>`select id from sandbox`
    assert.ok(sandbox.app.service.anchor.folder.endsWith(`sandbox-${mark!.id}`))
    assert.notEqual(sandbox.app.service.anchor.folder, api.app.service.anchor.folder)
  })

  test('its mark cannot be changed or removed', async () => {
    for (const text of ['delete from sandbox', 'update sandbox set masked = false', 'truncate sandbox'])
      await assert.rejects(async () => await target.sql.unsafe(text), /stays a sandbox/)
  })

  test('a bank file does not leave it', async () => {
    const batch = '01890000-0000-7000-8000-00000000000a'
    await target.sql`
      insert into payout_batch (id, currency_code, minor_per_unit, business_date, execution_date, account, amount, payouts, content)
      values (${batch}, 'SEK', 100, ${today}, ${today}, '1', 100, 1, '<xml/>')`
    const token = await signIn()
    const { status, body } = await sandbox.call<{ detail: string }>('GET', `/payouts/${batch}/file`, {
      token,
    })
    assert.equal(status, 409, JSON.stringify(body))
    assert.match(body.detail, /sandbox/)
  })
})

describe('a sandbox is refused', () => {
  test('of a sandbox', () =>
    refused(['./again'], /is a sandbox. Copy the installation that it was copied from/, {
      DATABASE_URL: target.url,
    }))

  test('into its source, by the same address and by another', async () => {
    await refused(['--database', api.databaseUrl], /would be the installation itself/)
    const other = new URL(api.databaseUrl)
    other.searchParams.set('application_name', 'other')
    await refused(['--database', other.href], /would be the installation itself/)
  })

  test('into a database in use, and into a folder that is not empty', async () => {
    await refused(['--database', target.url], /already holds users or debtors/)
    writeFileSync(join(folder, 'something'), '')
    await refused(['.'], /is not empty. Name a new one/)
    await refused(['./one', '--database', target.url], /not both/)
    await refused(['--database', 'mysql://x'], /must begin with postgres/)
  })

  test('of a source that cannot be reached, or is not there', async () => {
    await refused(['./none'], /ECONNREFUSED|connect/i, {
      DATABASE_URL: 'postgres://fordra@127.0.0.1:1/fordra',
    })
    await refused(['./none'], /no database in .*nowhere/, { DATABASE_URL: '', FORDRA_DATA: './nowhere' })
  })
})
