import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Problem } from '../../../contract/platform/problem.ts'
import { importedKinds, type ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { UploadedFile } from '../../../contract/integration/uploads.ts'
import type { Page } from '../../platform/database/list.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { purgeUploads } from './uploads.store.ts'

let api: TestApi
let runner: JobRunner
before(async () => {
  api = await startApi({ FORDRA_UPLOAD_MB: '3' })
  runner = await runJobs(api)
})
after(async () => {
  await runner.stop()
  await api.close()
})

const octets = { 'content-type': 'application/octet-stream' }
const upload = (text: string, query = 'what=debtors&fileName=debtors.csv&source=crm', token = api.token) =>
  api.call<UploadedFile & Problem>('POST', `/system/files?${query}`, { raw: text, headers: octets, token })
const start = (...argument: unknown[]) =>
  api.call<Problem & { jobId: string }>('POST', '/system/commands/import', { body: { argument } })
async function importFile(fileGuid: string) {
  const { status, body, text } = await start(fileGuid)
  assert.equal(status, 200, text)
  return waitForJob(api, body.jobId)
}
const countDebtors = async () =>
  (await api.sql<{ count: number }[]>`select count(*)::int as count from debtor`)[0]!.count
const list = async () => (await api.call<Page<UploadedFile>>('GET', '/system/files')).body.value

const csv = (rows: string[]) => `sourceReference,lastname,zipCode,city,countryCode\n${rows.join('\n')}\n`

test('a file is uploaded and imported by the command, and its rejected rows can be downloaded (uploadFile, listFiles, getRejectedRows)', async () => {
  const made = await upload(csv(['1,Ek,211 42,Malmö,SE', '2,Al,nonsense,Malmö,SE', '3,Alm,211 42,Malmö,SE']))
  assert.equal(made.status, 201, made.text)
  const { fileGuid } = made.body
  assert.deepEqual([made.body.what, made.body.source, made.body.importedAt], ['debtors', 'crm', null])
  const known = await countDebtors()
  const job = await importFile(fileGuid)
  assert.equal(job.status, 'completed', job.lastError ?? '')
  const { inserted, rejected, rows, rejectedRows, complete } = job.result!
  assert.deepEqual([rows, inserted, rejected, complete], [3, 2, 1, true])
  assert.deepEqual([job.progressDone, job.progressTotal], [made.body.bytes, made.body.bytes])
  assert.equal(await countDebtors(), known + 2)
  const report = await api.call('GET', rejectedRows as string)
  assert.equal(report.status, 200)
  assert.match(report.text, /^line,sourceReference,field,reason\r\n3,2,zipCode,/)
  const [listed] = await list()
  assert.deepEqual([listed!.fileGuid, listed!.jobId, listed!.hasRejected], [fileGuid, job.jobId, true])
  assert.ok(listed!.importedAt)
  const parts = await api.sql`select kind from uploaded_part where file_id = ${fileGuid} order by kind`
  assert.deepEqual(
    parts.map(({ kind }) => kind as string),
    ['rejected', 'rejected-rows'],
    'the contents of an imported file are deleted',
  )
  assertProblem(await start(fileGuid), 'unprocessable', /imported completely/)
})

test('importing the same rows again finds them, whatever the file is called', async () => {
  const rows = csv(['1,Ek,211 42,Malmö,SE', '3,Alm,211 42,Malmö,SE'])
  const { body } = await upload(rows, 'what=debtors&fileName=again.csv&source=crm')
  const job = await importFile(body.fileGuid)
  assert.deepEqual([job.result!['inserted'], job.result!['alreadyThere']], [0, 2])
  assertProblem(await api.call('GET', `/system/files/${body.fileGuid}/rejected`), 'not-found', /rejected/)
})

test('a NUL character in the query is refused', async () => {
  for (const query of ['what=debtors&fileName=a%00b.csv', 'what=debtors&fileName=a.csv&mappings=a%3Db%00'])
    assertProblem(await upload('x', query), 'invalid', /has a NUL character|control characters/)
})

for (const name of ['rejected', `${'å'.repeat(196)}.csv`]) {
  test(`a file name may be ${name.slice(0, 10)} with ${name.length} characters`, async () => {
    const rows = csv([`${name.length},Ek,nonsense,Malmö,SE`])
    const { body } = await upload(rows, `what=debtors&fileName=${encodeURIComponent(name)}&source=names`)
    const job = await importFile(body.fileGuid)
    assert.deepEqual([job.status, job.result?.['rejected']], ['completed', 1], job.lastError ?? '')
  })
}

test('a file of several parts is imported whole', async () => {
  const rows = Array.from({ length: 60_000 }, (_, index) => `big-${index},Namn${index},211 42,Malmö,SE`)
  const body = csv(rows)
  const { body: file } = await upload(body, 'what=debtors&fileName=big.csv&source=big')
  assert.equal(file.bytes, Buffer.byteLength(body))
  const [stored] = await api.sql<{ parts: number; bytes: number }[]>`
    select count(*)::int as parts, sum(length(content))::int as bytes from uploaded_part where file_id = ${file.fileGuid}`
  assert.ok(stored!.parts > 1)
  assert.equal(stored!.bytes, Buffer.byteLength(body))
  await api.call('DELETE', `/system/files/${file.fileGuid}`)
})

test('invalid headings fail the job with the reason, and without our folder names', async () => {
  const { body } = await upload('nothing,known\n1,2\n')
  const job = await importFile(body.fileGuid)
  assert.equal(job.status, 'failed')
  assert.match(job.lastError!, /nothing/)
  assert.doesNotMatch(job.lastError!, /\/tmp|fordra-import/)
})

test('a row that is not UTF-8 is rejected, and the others are imported', async () => {
  const { body } = await api.call<UploadedFile>(
    'POST',
    '/system/files?what=debtors&fileName=l.csv&source=latin',
    {
      raw: Buffer.from('sourceReference,lastname\n1,Ek\n2,Sj\xf6\n3,Al\n', 'latin1'),
      headers: octets,
    },
  )
  const { status, result } = await importFile(body.fileGuid)
  assert.deepEqual([status, result!['inserted'], result!['rejected']], ['completed', 2, 1])
  const report = await api.call('GET', result!['rejectedRows'] as string)
  assert.match(report.text, /\r\n3,2,lastname,"?holds bytes that are not UTF-8/)
})

const history = {
  sourceReference: 'H1',
  partyReferenceCode: 'KUND',
  debtorReference: 'D1',
  service: 'COLLECTION',
  currencyCode: 'SEK',
  registrationDate: '2026-01-15',
  claimKind: 'GENERAL',
  allocationOrder: 'COST_INTEREST_PRINCIPAL',
  status: 'AMICABLE',
  subStatus: 'PAYMENT_PLAN',
  beforePlanStatus: 'AMICABLE',
  beforePlanSubStatus: 'DEMAND_SENT',
  invoices: [{ principal: 900, opening: true }],
}
const plan = {
  sourceReference: 'P2',
  paymentPlanGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e71',
  debtorReference: 'D1',
  active: 1,
  paymentPlanType: 3,
  registrationDate: '2026-01-15',
  startDate: '2026-01-15',
  currencyCode: 'SEK',
  firstDueDays: 30,
  intervalType: 3,
  interval: 1,
  graceDays: 5,
  missesToBreach: 2,
  numberOfPayments: 1,
  levelAmount: 900,
  claim: 900,
  payments: [{ paymentNo: 1, dueDate: '2026-12-14', instalment: 900 }],
  cases: [{ caseReference: 'H1', active: true, claim: 900, movementsBefore: 0 }],
}

const makeFileName = (what: string) => `${what}.${what.endsWith('histories') ? 'ndjson' : 'csv'}`

test('every kind of the command line can be imported, in order of dependency', async () => {
  const texts: Record<ImportedKind, string> = {
    parties: 'partyReferenceCode,name\nKUND,Kund AB\n',
    users: 'email,fullName,partyReferenceCode,userRole\neva@kund.example,Eva,KUND,9\n',
    debtors: 'sourceReference,lastname\nD1,Ek\n',
    cases: 'sourceReference,partyReferenceCode,debtorReference,principal,currencyCode\nC1,KUND,D1,1200,SEK\n',
    invoices: 'sourceReference,caseReference,principal,dueDate\nI1,C1,100,2026-01-15\n',
    payments: 'sourceReference,caseReference,amount\nB1,C1,50\n',
    plans: 'sourceReference,debtorReference,paymentPlanType,numberOfPayments,active\nP1,D1,1,6,2\n',
    thirdparties: 'sourceReference,partyReferenceCode,name\nT1,KUND,Tingsrätten\n',
    accounts: 'partyReferenceCode,accountNumber\nKUND,A-1\n',
    customers: 'partyReferenceCode,customerNumber,name,debtorReference\nKUND,100,Berg,D1\n',
    purchases: 'partyReferenceCode,purchaseNumber,customerNumber,amount\nKUND,1,100,99.50\n',
    objects: 'partyReferenceCode,objectNumber,name\nKUND,OB77,Lägenheten\n',
    casehistories: `${JSON.stringify(history)}\n`,
    planhistories: `${JSON.stringify(plan)}\n`,
  }
  for (const what of importedKinds) {
    const made = await upload(texts[what], `what=${what}&fileName=${makeFileName(what)}&source=all`)
    assert.equal(made.status, 201, made.text)
    const job = await importFile(made.body.fileGuid)
    assert.deepEqual([job.status, job.result?.['inserted']], ['completed', 1], `${what}: ${job.lastError}`)
  }
  const [purchase] = await api.sql`select amount_minor, currency_code from purchase`
  assert.deepEqual({ ...purchase }, { amount_minor: 9950, currency_code: 'SEK' })
})

test('NDJSON, mappings and windows-1252 work like on the command line', async () => {
  const lines = '{"sourceReference":"n1","lastname":"Nord"}\n'
  const ndjson = await upload(lines, 'what=debtors&fileName=x.ndjson&source=nd')
  assert.equal((await importFile(ndjson.body.fileGuid)).result!['inserted'], 1)
  const mapped = await upload(
    'Nr;Namn\nm1;Map\n',
    `what=debtors&fileName=m.csv&source=nd&delimiter=;&mappings=${encodeURIComponent('Nr=sourceReference,Namn=lastname')}`,
  )
  assert.equal((await importFile(mapped.body.fileGuid)).result!['inserted'], 1)
})

test('the client for all rows is that of the rows that name none, in each kind that has clients', async () => {
  const clientGuid = await api.addParty('FOR-ALL')
  await api.addParty('OWN')
  const debtor = await upload('sourceReference,lastname\nD9,Ek\n', 'what=debtors&fileName=d.csv&source=for')
  await importFile(debtor.body.fileGuid)
  const { invoices, ...rest } = history
  const carried = {
    ...rest,
    sourceReference: 'H9',
    debtorReference: 'D9',
    partyReferenceCode: undefined,
    invoices,
  }
  const texts = {
    cases:
      'sourceReference,partyReferenceCode,debtorReference,principal,currencyCode\nC1,OWN,D9,10,SEK\nC2,,D9,20,SEK\n',
    thirdparties: 'sourceReference,name\nT1,Tingsrätten\n',
    accounts: 'accountNumber\nA-9\n',
    customers: 'customerNumber,name,debtorReference\n900,Berg,D9\n',
    purchases: 'purchaseNumber,customerNumber,amount\n9,900,99.50\n',
    objects: 'objectNumber,name\nOB9,Lägenheten\n',
    casehistories: `${JSON.stringify(carried)}\n`,
  }
  for (const [what, text] of Object.entries(texts)) {
    const query = `what=${what}&fileName=${makeFileName(what)}&source=for`
    const client = what === 'cases' ? clientGuid : 'for-all'
    const made = await upload(text, `${query}&client=${client}`)
    assert.equal(made.status, 201, made.text)
    const job = await importFile(made.body.fileGuid)
    assert.deepEqual([job.status, job.result?.['rejected']], ['completed', 0], `${what}: ${job.lastError}`)
  }
  const cases = await api.sql<{ row: string; code: string }[]>`
    select c.source_reference as row, p.reference_code as code from debt_case c join party p on p.id = c.client_id
    where c.source_reference like 'for/%' order by 1`
  assert.deepEqual(
    cases.map(({ row, code }) => [row, code]),
    [
      ['for/C1', 'OWN'],
      ['for/C2', 'FOR-ALL'],
      ['for/H9', 'FOR-ALL'],
    ],
  )
})

test('the same rows for another client are other cases, and for the same client the same', async () => {
  const rows = 'debtorReference,principal,currencyCode\nD9,77,SEK\n'
  const inserted: unknown[] = []
  for (const client of ['FOR-ALL', 'OWN', 'FOR-ALL']) {
    const { body } = await upload(rows, `what=cases&fileName=c.csv&source=for&client=${client}`)
    inserted.push((await importFile(body.fileGuid)).result?.['inserted'])
  }
  assert.deepEqual(inserted, [1, 1, 0])
})

test('the party for all users is that of the rows that name none: the agency or a client', async () => {
  await api.addParty('USERS')
  const [agency] = await api.sql<{ code: string }[]>`
    select reference_code as code from party where parent_id is null`
  const rows = [
    'email,fullName,userRole,partyReferenceCode',
    'own@rows.example,Ek,3,',
    'theirs@rows.example,Al,9,USERS',
    '',
  ]
  const { body } = await upload(
    rows.join('\n'),
    `what=users&fileName=u.csv&source=rows&client=${encodeURIComponent(agency!.code)}`,
  )
  assert.deepEqual((await importFile(body.fileGuid)).result?.['inserted'], 2)
  const users = await api.sql<{ email: string; code: string }[]>`
    select u.email, p.reference_code as code from app_user u join party p on p.id = u.party_id
    where u.email like '%@rows.example' order by 1`
  assert.deepEqual(
    users.map(({ email, code }) => [email, code]),
    [
      ['own@rows.example', agency!.code],
      ['theirs@rows.example', 'USERS'],
    ],
  )
  const ofCases = await upload('a\n', `what=cases&fileName=c.csv&client=${encodeURIComponent(agency!.code)}`)
  assertProblem(ofCases, 'invalid', /not the code or GUID of a client/)
})

test('the file of rejected rows says why in the language of the user who imports', async () => {
  const rows =
    'sourceReference,partyReferenceCode,debtorReference,principal,currencyCode\nR1,OWN,NONE,1O,SEK\nR2,OWN,NONE,10,SEK\n'
  const { body } = await upload(rows, 'what=cases&fileName=c.csv&source=words')
  await api.sql`update app_user set language_code = 'sv'`
  await importFile(body.fileGuid)
  await api.sql`update app_user set language_code = 'en'`
  const { text } = await api.call('GET', `/system/files/${body.fileGuid}/rejected?rows=true`)
  assert.match(text, /R1,.*,2,Kapital: .*är inget belopp\. Skriv belopp som 1234\.50\./)
  assert.match(text, /R2,.*,3,Gäldenärsnummer: Det finns ingen sådan gäldenär\./)
})

test('the country for all rows is that of the addresses that name none', async () => {
  const rows = 'sourceReference,lastname,zipCode\nL1,Ek,0150\n'
  for (const [country, rejected] of [
    ['NO', 0],
    ['SE', 1],
  ] as const) {
    const query = `what=debtors&fileName=l.csv&source=${country}&countryCode=${country}`
    const { body } = await upload(rows, query)
    const { result } = await importFile(body.fileGuid)
    assert.equal(result!['rejected'], rejected, country)
  }
  const [found] = await api.sql`select country_code from debtor where source_reference = 'NO/L1'`
  assert.equal(found!['country_code'], 'NO')
})

const refused: [what: string, query: string, member: string][] = [
  ['no kind', 'fileName=x.csv', 'what'],
  ['a kind that there is not', 'what=houses&fileName=x.csv', 'what'],
  ['no name', 'what=debtors', 'fileName'],
  ['a name with a way in it', `what=debtors&fileName=${encodeURIComponent('../x.csv')}`, 'fileName'],
  ['a source with a blank', 'what=debtors&fileName=x.csv&source=a%20b', 'source'],
  ['a source with a slash', 'what=debtors&fileName=x.csv&source=a/b', 'source'],
  ['a delimiter that there is not', 'what=debtors&fileName=x.csv&delimiter=x', 'delimiter'],
  ['an encoding that there is not', 'what=debtors&fileName=x.csv&encoding=utf-7', 'encoding'],
  ['a client that there is not', 'what=cases&fileName=x.csv&client=NOBODY', 'client'],
  ['a country that there is not', 'what=debtors&fileName=x.csv&countryCode=XX', 'countryCode'],
  ['a country for cases', 'what=cases&fileName=x.csv&countryCode=SE', 'countryCode'],
  ['a client for debtors', 'what=debtors&fileName=x.csv&client=KUND', 'client'],
  ['duplicates of users', 'what=users&fileName=x.csv&allowDuplicates=true', 'allowDuplicates'],
]
for (const [what, query, member] of refused) {
  test(`an upload with ${what} is refused`, async () => {
    const answer = await upload('a,b\n', query)
    assert.equal(answer.status, 400, answer.text)
    assert.ok(answer.body.errors![member], answer.text)
  })
}

test('an empty file, JSON, a too large file and an unauthorised one are refused and leave nothing in the list', async () => {
  const listed = (await list()).length
  assertProblem(await upload(''), 'invalid', /empty|required/)
  const json = await api.call('POST', '/system/files?what=debtors&fileName=x.csv', { body: {} })
  assertProblem(json, 'unsupported-media-type', /octet-stream/)
  assertProblem(await upload('x'.repeat(3 * 1024 * 1024 + 1)), 'payload-too-large', /3 MB/)
  const query = 'what=debtors&fileName=x.csv'
  assert.equal((await upload('a\n', query, await api.signIn(3))).status, 403)
  assert.equal((await list()).length, listed)
})

test('a stream without a length that exceeds the limit is refused', async () => {
  const block = new Uint8Array(512 * 1024)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let count = 0; count < 8; count++) controller.enqueue(block)
      controller.close()
    },
  })
  const response = await fetch(`${api.address}/api/v1/system/files?what=debtors&fileName=x.csv`, {
    method: 'POST',
    headers: { ...octets, authorization: `Bearer ${api.token}` },
    body,
    duplex: 'half',
  })
  assert.equal(response.status, 413)
})

test('S11 import takes an existing file and nothing else', async () => {
  assert.equal((await start()).status, 400)
  assert.equal((await start('not-a-guid')).status, 400)
  assertProblem(await start('0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'), 'not-found', /uploaded file/)
})

test('a file that waits to be imported cannot be deleted, another one can (deleteFile)', async () => {
  const { body } = await upload(csv(['d1,Del,211 42,Malmö,SE']))
  await runner.stop()
  const asked = await start(body.fileGuid.toUpperCase())
  assertProblem(await api.call('DELETE', `/system/files/${body.fileGuid}`), 'conflict', /being imported/)
  runner = await runJobs(api)
  await waitForJob(api, asked.body.jobId)
  assert.equal((await api.call('DELETE', `/system/files/${body.fileGuid}`)).status, 200)
  assert.equal((await api.call('DELETE', `/system/files/${body.fileGuid}`)).status, 404)
})

test('purge-expired deletes files after 30 days, and incomplete uploads', async () => {
  const { body } = await upload('a\n')
  await api.sql`update uploaded_file set created_at = now() - interval '31 days' where id = ${body.fileGuid}`
  await api.sql`insert into uploaded_file (id, what, source, file_name, created_at)
    values (gen_random_uuid(), 'debtors', 'x', 'half', now() - interval '2 hours')`
  await purgeUploads(api.sql)
  const left = await api.sql`select from uploaded_file where id = ${body.fileGuid} or file_name = 'half'`
  assert.equal(left.length, 0)
})
