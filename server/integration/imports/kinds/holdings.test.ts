/** Client records from files: found by reference, imported once, with the checks of their forms. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { startApi, type TestApi } from '../../../testing/api.ts'
import type { ImportContext, ImportRequest } from '../import-file.ts'
import { imports, type ImportedKind } from './kinds.ts'

let api: TestApi
let folder = ''
let client = ''
let debtorGuid = ''
before(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'fordra-holdings-'))
  await run('parties', 'sourceReference,partyReferenceCode,name\nK1,NORD,Nord AB\nK2,SYD,Syd AB\n')
  await run('debtors', 'sourceReference,lastname\nD1,Berg\n')
  const [party] = await api.sql<{ id: string }[]>`select id from party where reference_code = 'NORD'`
  const [debtor] = await api.sql<{ id: string }[]>`select id from debtor where source_reference = 'test/D1'`
  ;[client, debtorGuid] = [party!.id, debtor!.id]
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

let files = 0
async function run(
  what: ImportedKind,
  content: string,
  more: Partial<ImportRequest & ImportContext> & { ending?: string } = {},
) {
  const { ending = 'csv', stop, onProgress, ...options } = more
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
  const context = {
    countryCode: 'SE',
    currencyCode: 'SEK',
    ...(stop && { stop }),
    ...(onProgress && { onProgress }),
  }
  const report = await imports[what](api.sql, request, context)
  const rejected =
    report.rejectedFile === null
      ? []
      : parse<Record<string, string>>(await readFile(report.rejectedFile, 'utf8'), { columns: true })
  return {
    report,
    counts: [report.rows, report.inserted, report.alreadyThere, report.rejected],
    faults: rejected.map(({ line, field }) => `${line} ${field}`),
    reasons: rejected.map(({ reason }) => reason),
  }
}

const readForm = async (entity: string, guid: string) =>
  (await api.call('GET', `/system/forms/${entity}/edit?initialValues=true&id=${guid}`)).body
const findGuid = async (table: string, reference: string): Promise<string> => {
  const [row] = await api.sql<{ id: string }[]>`
    select id from ${api.sql(table)} where source_reference = ${`test/${reference}`}`
  return row?.id ?? assert.fail(`no ${table} ${reference}`)
}

test('third parties, accounts and objects are parsed like in their forms, and search finds them', async () => {
  const parties = await run(
    'thirdparties',
    'sourceReference;Kund;name;idNumber;phone;countryCode\nT1;nord;Tingsrätten;;08-561 654 10;se\n',
    { mappings: ['Kund=partyReferenceCode'] },
  )
  assert.deepEqual(parties.counts, [1, 1, 0, 0])
  assert.deepEqual(await readForm('thirdparty', await findGuid('third_party', 'T1')), {
    clientGuid: client,
    name: 'Tingsrätten',
    phone: '+46856165410',
    countryCode: 'SE',
    thirdPartyGuid: await findGuid('third_party', 'T1'),
  })
  assert.deepEqual(
    (await run('accounts', 'partyReferenceCode,accountNumber,currencyCode\nNORD,A-1,nok\n')).counts,
    [1, 1, 0, 0],
  )
  const account = await readForm('account', await findGuid('account', 'nord/A-1'))
  assert.deepEqual([account['accountNumber'], account['currencyCode']], ['A-1', 'NOK'])
  const line = { partyReferenceCode: 'K1', objectNumber: 'OB77', name: 'Lägenheten', city: 'Malmö' }
  assert.deepEqual((await run('objects', JSON.stringify(line), { ending: 'ndjson' })).counts, [1, 1, 0, 0])
  const found = await api.call<{ items: { primaryDescription: string }[] }>('GET', '/search?q=OB77')
  assert.equal(found.body.items[0]?.primaryDescription, 'OB77')
})

test('customers name their debtor, and purchases their customer, by source reference or number', async () => {
  const customers = await run(
    'customers',
    'sourceReference,partyReferenceCode,customerNumber,name,debtorReference\nC1,NORD,100,Berg,D1\nC2,K1,101,Ek,\nC3,SYD,100,Al,\n',
  )
  assert.deepEqual(customers.counts, [3, 3, 0, 0])
  const customerGuid = await findGuid('customer', 'C1')
  assert.equal((await readForm('customer', customerGuid))['debtorGuid'], debtorGuid)
  const purchases = await run(
    'purchases',
    'sourceReference,partyReferenceCode,purchaseNumber,customerNumber,amount,purchaseDate\nP1,NORD,1,100,"99,50",2026-01-15\nP2,NORD,2,C2,,\nP3,NORD,3,C3,,\nP4,SYD,1,100,12.345,\n',
  )
  assert.deepEqual(purchases.counts, [4, 2, 0, 2])
  assert.deepEqual(purchases.faults, ['4 customerNumber', '5 amount'])
  const purchase = await readForm('purchase', await findGuid('purchase', 'P1'))
  assert.deepEqual(
    [purchase['customerGuid'], purchase['amount'], purchase['currencyCode'], purchase['purchaseDate']],
    [customerGuid, 99.5, 'SEK', '2026-01-15T00:00:00Z'],
  )
  assert.equal(
    (await readForm('purchase', await findGuid('purchase', 'P2')))['customerGuid'],
    await findGuid('customer', 'C2'),
  )
})

test('each record has the same event and audit entry as by the form', async () => {
  const values = { clientGuid: client, customerNumber: '200', name: 'Lind' }
  const formed = await api.call('POST', '/system/forms/customer/create', { body: values })
  await run('customers', 'sourceReference,partyReferenceCode,customerNumber,name\nC9,NORD,201,Lind\n')
  const told = async (guid: string) => {
    const [row] = await api.sql<Record<string, unknown>[]>`
      select a.action, a.entity, a.sequence, a.changes - 'customerNumber' as changes, i.type, i.primary_description as first,
        (select array_agg(e.type) from event e where e.subject = a.entity_id) as events
      from audit_entry a join item i on i.guid = a.entity_id where a.entity_id = ${guid}`
    return row
  }
  const imported = await told(await findGuid('customer', 'C9'))
  assert.deepEqual(imported, await told(formed.body['customerGuid']!))
  assert.deepEqual(imported!['events'], ['customer.created'])
})

const rows = (phone: string) =>
  `partyReferenceCode,customerNumber,name,phone\nNORD,300,Ask,\nNORD,301,Alm,${phone}\n`

test('running a file again makes no duplicates and imports a corrected row', async () => {
  const first = await run('customers', rows('12'))
  assert.deepEqual([first.counts, first.faults], [[2, 1, 0, 1], ['3 phone']])
  const mended = rows('070-174 06 05')
  assert.deepEqual((await run('customers', mended)).counts, [2, 1, 1, 0])
  assert.deepEqual((await run('customers', mended)).counts, [2, 0, 2, 0])
  const other = await run('customers', mended, { source: 'other' })
  assert.deepEqual(
    [other.counts, other.faults],
    [
      [2, 0, 0, 2],
      ['2 customerNumber', '3 customerNumber'],
    ],
  )
  const named = 'partyReferenceCode,name\nNORD,Kronofogden\n'
  assert.deepEqual((await run('thirdparties', named)).counts, [1, 1, 0, 0])
  assert.deepEqual((await run('thirdparties', named)).counts, [1, 0, 1, 0])
})

test('every wrong member is reported, without its value', async () => {
  const { counts, faults, reasons } = await run(
    'customers',
    `sourceReference,partyReferenceCode,customerNumber,name,debtorReference,email,countryCode
X1,NOBODY,1,A,,,
X2,,2,A,,,
X3,NORD,,,,not-an-address,ZZ
X4,NORD,400,A,D9,,
X5,NORD,401,A,,,
X6,NORD,401,B,,,
X5,NORD,402,C,,,
`,
  )
  assert.deepEqual(counts, [7, 1, 0, 6])
  assert.deepEqual(faults, [
    '2 partyReferenceCode',
    '3 partyReferenceCode',
    '4 customerNumber',
    '4 name',
    '4 countryCode',
    '4 email',
    '5 debtorReference',
    '7 customerNumber',
    '8 sourceReference',
  ])
  assert.ok(!reasons.join().includes('not-an-address'))
  const unknown = run('accounts', 'partyReferenceCode,accountNumber,clientGuid\nNORD,1,x\n')
  await assert.rejects(unknown, /'clientGuid' is no field/)
})

test('an interrupted import continues where it was', async () => {
  const lines = Array.from({ length: 2600 }, (_, n) => `NORD,S${n},Namn ${n}\n`).join('')
  const content = `partyReferenceCode,customerNumber,name\n${lines}`
  const stop = new AbortController()
  const first = await run('customers', content, { stop: stop.signal, onProgress: () => stop.abort() })
  assert.equal(first.report.complete, false)
  const [, begun] = first.counts
  assert.ok(begun! > 0 && begun! < 2600)
  const second = await run('customers', content)
  assert.deepEqual(second.counts, [2600, 2600 - begun!, begun, 0])
  const [row] = await api.sql`
    select count(*)::int as customers, count(distinct customer_number)::int as numbers
    from customer where customer_number like 'S%'`
  assert.deepEqual({ ...row }, { customers: 2600, numbers: 2600 })
})
