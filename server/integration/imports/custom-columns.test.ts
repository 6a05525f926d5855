/** Custom fields in files: columns like others, checked as in forms, stored, with events and audit entries. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { startApi, type TestApi } from '../../testing/api.ts'
import { ImportRefused } from './reading/import-refused.ts'
import { imports, type ImportedKind } from './kinds/kinds.ts'

let api: TestApi
let folder = ''
before(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'fordra-own-'))
  const value = { lookupCode: 'segment', lookupKey: 'VIP', textEn: 'Very important' }
  assert.equal((await create('lookupvalue/create', value)).status, 201)
  for (const field of [
    { code: 'shoeSize', type: 'integer', minValue: '20', maxValue: '60' },
    { code: 'metOn', type: 'date' },
    { code: 'limit', type: 'money' },
    { code: 'segment', type: 'lookup', lookupCode: 'segment', mustMatchLookup: true },
    { code: 'secret', type: 'string', audit: false },
    { code: 'branch', type: 'string', required: true },
    { code: 'gone', type: 'string', hidden: true },
  ])
    await addField('debtor', field)
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const create = (path: string, body: object) =>
  api.call<Record<string, unknown>>('POST', `/system/forms/${path}`, { body })
async function addField(entity: string, field: { code: string } & Record<string, unknown>): Promise<void> {
  const made = await create('field/create', { entity, textEn: field.code, ...field })
  assert.equal(made.status, 201, made.text)
}

let files = 0
async function run(what: ImportedKind, content: string, ending = 'csv') {
  const file = join(folder, `${++files}.${ending}`)
  await writeFile(file, content)
  const request = {
    file,
    source: 'own',
    mappings: [],
    allowDuplicates: false,
    rejectedFile: `${file}.no.csv`,
  }
  const report = await imports[what](api.sql, request, { countryCode: 'SE', currencyCode: 'SEK' })
  const rejected =
    report.rejectedFile === null
      ? []
      : parse<Record<string, string>>(await readFile(report.rejectedFile, 'utf8'), { columns: true })
  return {
    counts: [report.rows, report.inserted, report.alreadyThere, report.rejected],
    faults: rejected.map(({ line, field }) => `${line} ${field}`),
  }
}

const findGuid = async (table: string, reference: string): Promise<string> => {
  const [row] = await api.sql<{ id: string }[]>`
    select id from ${api.sql(table)} where source_reference = ${`own/${reference}`}`
  return row?.id ?? assert.fail(`no ${table} ${reference}`)
}
const readForm = async (entity: string, guid: string) =>
  (
    await api.call<Record<string, unknown>>(
      'GET',
      `/system/forms/${entity}/edit?initialValues=true&id=${guid}`,
    )
  ).body

test('custom fields of debtors are columns in any letter case, and appear in forms, filters and the audit trail', async () => {
  const file =
    'sourceReference,lastname,SHOESIZE,metOn,limit,segment,secret\nD1,Fot,44,2026-01-15,"12,50",VIP,hush\nD2,Ek,,,,,\n'
  assert.deepEqual((await run('debtors', file)).counts, [2, 2, 0, 0])
  const guid = await findGuid('debtor', 'D1')
  const { shoeSize, metOn, limit, segment, secret } = await readForm('debtor', guid)
  assert.deepEqual(
    [shoeSize, metOn, limit, segment, secret],
    [44, '2026-01-15T00:00:00Z', 12.5, 'VIP', 'hush'],
  )
  const filter = encodeURIComponent('shoeSize eq 44')
  const { body } = await api.call<{ total: number }>('GET', `/debtors?$filter=${filter}`)
  assert.equal(body.total, 1)
  const told = await api.sql`
    select type, operation, sequence, data, changes from audit_entry where subject = ${guid} order by sequence`
  assert.deepEqual(
    told.map(({ type, operation, sequence }) => [type, operation, sequence] as unknown),
    [
      ['debtor.created', 'import', 1],
      ['debtor.updated', 'import', 2],
    ],
  )
  const codes = ['shoeSize', 'metOn', 'limit', 'segment', 'secret']
  assert.deepEqual(told[1]!['data'], { debtorGuid: guid, changed: codes })
  const changes = told[1]!['changes'] as Record<string, unknown>
  assert.deepEqual(
    [changes['shoeSize'], changes['secret']],
    [
      [null, 44],
      [null, 'changed'],
    ],
  )
  // The next change has the next event number.
  await api.call('PATCH', `/debtors/${guid}`, { body: { lastname: 'Hand' } })
  const [row] = await api.sql`select event_sequence, version from debtor where id = ${guid}`
  assert.deepEqual([row!['event_sequence'], row!['version']], [3, 3])
  const [bare] = await api.sql`select version, custom from debtor where source_reference = 'own/D2'`
  assert.deepEqual([bare!['version'], bare!['custom']], [1, {}])
})

test('invalid values reject their row by field, together with its other faults', async () => {
  const file =
    'sourceReference,lastname,idNumber,shoeSize,limit,segment,branch\n' +
    'W1,A,,61,,,x\nW2,B,19900101-0000,twelve,,,x\nW3,C,,,1.23456,,x\nW4,D,,,,NOBODY,x\nW5,E,,,,,\nW6,F,,20,1,vip,x\n'
  const { counts, faults } = await run('debtors', file)
  assert.deepEqual(faults, ['2 shoeSize', '3 shoeSize', '3 idNumber', '4 limit', '5 segment', '6 branch'])
  assert.deepEqual(counts, [6, 1, 0, 5])
  assert.equal((await readForm('debtor', await findGuid('debtor', 'W6')))['shoeSize'], 20)
})

test('NDJSON takes custom fields too, running again makes no duplicates, and a hidden field is refused', async () => {
  const file = JSON.stringify({ sourceReference: 'N1', lastname: 'Al', shoeSize: 30 })
  assert.deepEqual((await run('debtors', file, 'ndjson')).counts, [1, 1, 0, 0])
  assert.deepEqual((await run('debtors', file, 'ndjson')).counts, [1, 0, 1, 0])
  await assert.rejects(run('debtors', 'lastname,gone\nA,b\n'), ImportRefused)
})

test('clients, users, cases and client records have custom fields too', async () => {
  for (const entity of ['client', 'user', 'case', 'customer'])
    await addField(entity, { code: 'extra', type: 'string' })
  await run('parties', 'sourceReference,partyReferenceCode,name,extra\nP1,NORD,Nord AB,from a file\n')
  await run(
    'users',
    'sourceReference,userCode,email,fullName,userRole,partyReferenceCode,extra\nU1,UA,a@example.com,A B,6,NORD,from a file\n',
  )
  await run('debtors', 'sourceReference,lastname\nC1,Berg\n')
  const cases = 'sourceReference,partyReferenceCode,debtorReference,principal,currencyCode,extra\n'
  assert.deepEqual((await run('cases', `${cases}K1,NORD,C1,100,SEK,from a file\n`)).counts, [1, 1, 0, 0])
  await run(
    'customers',
    'sourceReference,partyReferenceCode,customerNumber,name,extra\nX1,NORD,1,Ek,from a file\n',
  )
  for (const [entity, table, reference] of [
    ['client', 'party', 'P1'],
    ['user', 'app_user', 'U1'],
    ['case', 'debt_case', 'K1'],
    ['customer', 'customer', 'X1'],
  ] as const)
    assert.equal((await readForm(entity, await findGuid(table, reference)))['extra'], 'from a file', entity)
})
