import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { AuditEntry } from '../../../../contract/insight/audit.ts'
import type { User } from '../../../../contract/access/users.ts'
import { readSettings } from '../../../platform/config.ts'
import type { Page } from '../../../platform/database/list.ts'
import { secretSentTo } from '../../../testing/records/enrolled-user.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { sendResetMessages } from '../../../access/users/password-reset.routes.ts'
import type { ImportRequest } from '../import-file.ts'
import { imports, type ImportedKind } from './kinds.ts'

let api: TestApi
let folder = ''
before(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'fordra-import-'))
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

let files = 0
async function run(
  what: ImportedKind,
  content: string,
  more: Partial<ImportRequest> & { ending?: string } = {},
) {
  const { ending = 'csv', ...options } = more
  const file = join(folder, `${++files}.${ending}`)
  await writeFile(file, content)
  const request = {
    file,
    source: 'test',
    mappings: [],
    allowDuplicates: false,
    rejectedFile: `${file}.rejected.csv`,
    ...options,
  }
  const report = await imports[what](api.sql, request, { countryCode: 'SE', currencyCode: 'SEK' })
  const { rows, inserted, alreadyThere, rejected } = report
  const faults =
    report.rejectedFile === null
      ? []
      : parse<Record<string, string>>(await readFile(report.rejectedFile, 'utf8'), { columns: true })
  return { report, counts: [rows, inserted, alreadyThere, rejected], faults }
}
const wrong = (faults: Record<string, string>[]) => faults.map(({ line, field }) => `${line} ${field}`)

let names = 0
let [client, below] = ['', '']
beforeEach(() => {
  client = `KUND${++names}`
  below = `${client}-NO`
})
const text = (name: string) => `Nr,Kod,Namn\n17,${client},${name}\n`
const heading = 'partyReferenceCode,name,parentPartyReferenceCode\n'

describe('a file of parties', () => {
  test('creates clients below the agency and their sub-parties, with events, audit entries and search items', async () => {
    const { counts } = await run(
      'parties',
      `${heading}${client},Kund AB,\n${below},Kund AS,${client.toLowerCase()}\n`,
    )
    assert.deepEqual(counts, [2, 2, 0, 0])
    const found = await api.sql`
      select p.reference_code as code, p.name, a.reference_code as above, i.primary_description as item, p.source_reference as source,
        (select count(*) from event e where e.subject = p.id and e.type = 'party.created') as events
      from party p join party a on a.id = p.parent_id join item i on i.guid = p.id and i.type = 2
      where p.reference_code in (${client}, ${below}) order by p.id`
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      [
        {
          code: client,
          name: 'Kund AB',
          above: 'AGENCY',
          item: 'Kund AB',
          source: `test/${client}`,
          events: 1,
        },
        { code: below, name: 'Kund AS', above: client, item: 'Kund AS', source: `test/${below}`, events: 1 },
      ],
    )
    const { body } = await api.call<Page<AuditEntry>>(
      'GET',
      `/audit?$filter=${encodeURIComponent("entity eq 'party'")}`,
    )
    const [entry] = body.value
    assert.deepEqual(
      [entry!.operation, entry!.action, entry!.changes['name']],
      ['import', 'created', [null, 'Kund AS']],
    )
  })

  test('makes no duplicates when run again, also with a corrected row', async () => {
    const rows = (parent: string) => `${heading}${client},Kund AB,\n${below},Kund AS,${parent}\n`
    const first = await run('parties', rows('NOBODY'))
    assert.deepEqual([first.counts, wrong(first.faults)], [[2, 1, 0, 1], ['3 parentPartyReferenceCode']])
    assert.deepEqual((await run('parties', rows(client))).counts, [2, 1, 1, 0])
    assert.deepEqual((await run('parties', rows(client))).counts, [2, 0, 2, 0])
  })

  test('identifies a row by the source’s reference where it has one', async () => {
    const mappings = ['Nr=sourceReference', 'Kod=partyReferenceCode', 'Namn=name']
    assert.deepEqual((await run('parties', text('Kund AB'), { mappings })).counts, [1, 1, 0, 0])
    assert.deepEqual((await run('parties', text('Kund Två'), { mappings })).counts, [1, 0, 1, 0])
    const other = await run('parties', text('Kund AB'), { mappings, source: 'other' })
    assert.deepEqual([other.counts, wrong(other.faults)], [[1, 0, 0, 1], ['2 partyReferenceCode']])
  })

  test('reports each wrong member, and a code that is taken or repeated', async () => {
    const { counts, faults } = await run(
      'parties',
      `${heading}${client},Kund AB,\n${client.toLowerCase()},Kund igen,\n,Utan kod,\n${below},,${below}\nAGENCY,Vi,\n${client},Kund AB,\n${'x'.repeat(51)},Lång,\n`,
    )
    assert.deepEqual(counts, [7, 1, 0, 6])
    assert.deepEqual(wrong(faults), [
      '3 partyReferenceCode',
      '4 partyReferenceCode',
      '5 name',
      '5 parentPartyReferenceCode',
      '6 partyReferenceCode',
      '7 sourceReference',
      '8 partyReferenceCode',
    ])
  })

  test('finds parents in earlier chunks that are still being inserted', async () => {
    const codes = Array.from({ length: 1200 }, (_, index) => `${client}-${index}`)
    const rows = codes.map((code, index) => `${code},Kund,${index === 0 ? '' : codes[index - 1]}\n`)
    assert.deepEqual((await run('parties', heading + rows.join(''))).counts, [1200, 1200, 0, 0])
  })
})

const twoUsers = (one: string, next: string) =>
  `email,userCode,fullName,partyReferenceCode,userRole\n${one}1@a.example,${one},Ek,AGENCY,3\n${one}2@a.example,${next},Al,AGENCY,3\n`

describe('a file of users', () => {
  const password = 'en lång mening som är min'
  const signIn = (login: string) =>
    api.call('POST', '/auth/login', { body: { login, password }, token: null })

  test('creates users like U9 does: groups, clients, roles, and a password that signs in', async () => {
    await run('parties', `${heading}${client},Kund AB,\n${below},Kund AS,${client}\n`)
    await api.sql`
      insert into access_group (id, code, name, access_codes)
      values (gen_random_uuid(), ${`G-${client}`}, 'G', '{case.read}')`
    const email = `${client}@kund.example`
    const { counts, report } = await run(
      'users',
      `email;userCode;fullName;partyReferenceCode;userRole;password;accessGroups;clientRestriction;cellularPhoneNumber;disabled\n` +
        `${email};${client};Åsa Ek;${client};6;${password};g-${client};${client}*|${below};070-174 06 05;false\n`,
    )
    assert.deepEqual([counts, report.withoutReference], [[1, 1, 0, 0], 0])
    assert.equal((await signIn(client.toLowerCase())).status, 200)
    const [{ id }] = (await api.sql`select id from app_user where user_code = ${client}`) as [{ id: string }]
    const { body } = await api.call<User>('GET', `/users/${id}`)
    assert.deepEqual(
      [body.email, body.fullName, body.userRole, body.accessGroups, body.cellularPhoneNumber, body.apiUser],
      [
        email.toLowerCase().replace(client.toLowerCase(), client),
        'Åsa Ek',
        6,
        [`G-${client}`],
        '+46701740605',
        false,
      ],
    )
    assert.deepEqual(body.clientRestriction, [
      { partyReferenceCode: client, includeSubParties: true },
      { partyReferenceCode: below, includeSubParties: false },
    ])
    const [{ changes }] = (await api.sql`select changes::text from audit_entry where entity_id = ${id}`) as [
      { changes: string },
    ]
    assert.ok(!changes.includes(password) && !changes.includes('argon2'))
  })

  test('without a password creates a user who sets one by e-mail', async () => {
    const email = `${client.toLowerCase()}@agency.example`
    const line = { email, fullName: 'Eva', partyReferenceCode: 'AGENCY', userRole: 3, accessGroups: [] }
    assert.deepEqual((await run('users', JSON.stringify(line), { ending: 'ndjson' })).counts, [1, 1, 0, 0])
    assert.equal((await signIn(email)).status, 401)
    await api.call('POST', '/auth/password/forgot', { body: { login: email }, token: null })
    await sendResetMessages(api.sql, readSettings({}))
    const token = await readToken(email)
    const reset = { token, password }
    assert.equal((await api.call('POST', '/auth/password/reset', { body: reset, token: null })).status, 200)
    assert.equal((await signIn(email)).status, 200)
  })

  test('makes no duplicates when run again, and reports names that are taken', async () => {
    const rows = (code: string) =>
      `email,userCode,fullName,partyReferenceCode,userRole\n${client}@a.example,${code},Ek,AGENCY,3\n${client}b@a.example,${client},Al,AGENCY,3\n`
    const first = await run('users', rows(client.toLowerCase()))
    assert.deepEqual([first.counts, wrong(first.faults)], [[2, 1, 0, 1], ['3 userCode']])
    const mended = rows(client.toLowerCase()).replace(`,${client},`, `,${client}b,`)
    assert.deepEqual((await run('users', mended)).counts, [2, 1, 1, 0])
    assert.deepEqual((await run('users', mended)).counts, [2, 0, 2, 0])
    const other = await run('users', mended, { source: 'other' })
    assert.deepEqual([other.counts, other.faults.length], [[2, 0, 0, 2], 4])
  })

  test('reports a name that is taken in another spelling, in the file and before it', async () => {
    const sharp = `${client}ß`
    const first = await run('users', twoUsers(sharp, `${client}SS`))
    assert.deepEqual([first.counts, wrong(first.faults)], [[2, 1, 0, 1], ['3 userCode']])
    const other = await run('users', twoUsers(`${client}\u017fs`, `${client}x`), { source: 'other' })
    assert.deepEqual(
      [other.counts, wrong(other.faults)],
      [
        [2, 1, 0, 1],
        ['2 email', '2 userCode'],
      ],
    )
  })

  test('refuses what the API refuses, with the same messages and without the values', async () => {
    const head =
      'email,fullName,partyReferenceCode,userRole,password,accessGroups,clientRestriction,clientId,photoImage,photoImageType\n'
    const { counts, faults, report } = await run(
      'users',
      `${head}not-an-address,Ek,AGENCY,3,short-one,,,,,\n${client}c@a.example,Ek,NOBODY,3,,NOGROUP,NOCLIENT,,,\n` +
        `${client}d@a.example,,AGENCY,15,,,,,,\n${client}e@a.example,Ek,AGENCY,3,short-one,,,,,\n` +
        `${client}f@a.example,Ek,AGENCY,3,,,,17,PHNjcmlwdD4=,image/png\n${client}g@a.example,Ek,,3,,,,,,\n`,
    )
    assert.deepEqual(counts, [6, 0, 0, 6])
    assert.deepEqual(wrong(faults), [
      '2 email',
      '3 partyReferenceCode',
      '3 accessGroups[0]',
      '3 clientRestriction[0].partyReferenceCode',
      '4 userRole',
      '5 password',
      '6 photoImage',
      '6 clientId',
      '6 clientSecret',
      '7 partyReferenceCode',
    ])
    assert.ok(!(await readFile(report.rejectedFile!, 'utf8')).includes('short-one'))
  })

  test('with many passwords is imported in chunks', async () => {
    const rows = Array.from({ length: 130 }, (_, n) => `${client}.${n}@a.example,Ek,AGENCY,3,${password}\n`)
    const { counts } = await run(
      'users',
      `email,fullName,partyReferenceCode,userRole,password\n${rows.join('')}`,
    )
    assert.deepEqual(counts, [130, 130, 0, 0])
    assert.equal((await signIn(`${client}.129@a.example`)).status, 200)
  })
})

const readToken = (email: string): Promise<string> => secretSentTo(api, email, /[\w-]{43}/)
