import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Document } from '../../../contract/collection/documents.ts'
import type { Event } from '../../../contract/platform/events.ts'
import { languages } from '../../../contract/platform/languages.ts'
import { openCases } from '../../testing/records/cases.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import type { LetterData } from './letter-data.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  at = await openCases(api)
  await api.sql`update party set bank_account_no = '5050-1055' where parent_id is null`
})
after(() => api.close())

const state = async (debtorGuid: string, body: object = {}) =>
  (await api.call<Document>('POST', `/debtors/${debtorGuid}/documents`, { body })).body
const readLetterData = async (documentGuid: string) => {
  const [row] = await api.sql<{ data: LetterData }[]>`select data from document where id = ${documentGuid}`
  return row!.data
}
async function readPdf(documentGuid: string, token = api.token): Promise<Buffer> {
  const url = `${api.address}/api/v1/documents/${documentGuid}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  return Buffer.from(await answer.arrayBuffer())
}

test('a statement lists the open cases by component, reference and account (createStatement)', async () => {
  const { debtorGuid } = await at.register({ principal: 1000, interest: 50, fee: 60.5 })
  await at.register({ debtorGuid, principal: 20, currencyCode: 'EUR', clientGuid: at.other })
  const made = await state(debtorGuid, { language: 'sv' })
  assert.equal(made.title, 'Kontoutdrag')
  assert.equal(made.businessDate, '2026-06-15T00:00:00Z')
  const data = await readLetterData(made.documentGuid)
  assert.deepEqual(
    data.cases.map(({ principal, interest, fee, sum }) => [principal, interest, fee, sum]),
    [
      ['1\u00a0000,00', '50,00', '60,50', '1\u00a0110,50'],
      ['20,00', '0,00', '0,00', '20,00'],
    ],
  )
  assert.deepEqual(
    data.totals.map(({ amount }) => amount),
    ['1\u00a0110,50 SEK', '20,00 EUR'],
  )
  const { body: overview } = await api.call<{ paymentReference: string }>(
    'GET',
    `/debtors/${debtorGuid}/caseoverview`,
  )
  assert.deepEqual(Object.fromEntries(data.payment), {
    Belopp: '1\u00a0110,50 SEK, 20,00 EUR',
    Konto: '5050-1055',
    'OCR/referens': overview.paymentReference,
  })
})

test('a letter has the name once, and the language of the agency’s country where the debtor has none', async () => {
  const { debtorGuid } = await at.register()
  const read = async () => readLetterData((await state(debtorGuid)).documentGuid)
  const move = async (fullName: string | null) => {
    const place = { street: 'Storgatan', houseNo: '12', zipCode: '21142', city: 'Malmö', fullName }
    const body = { ...place, addressType: 'LEGAL', defaultAddress: true }
    const added = await api.call('POST', `/debtors/${debtorGuid}/addresses`, { body })
    assert.equal(added.status, 201, added.text)
    await api.sql`update debtor set country_code = null, language_code = null where id = ${debtorGuid}`
    return (await read()).recipient.slice(1)
  }
  assert.deepEqual(await move(null), ['Storgatan 12', '21142 Malmö'])
  assert.deepEqual(await move('c/o Ek'), ['c/o Ek', 'Storgatan 12', '21142 Malmö'])
  await api.sql`update party set country_code = 'DE' where parent_id is null`
  assert.equal((await read()).lang, 'de')
  await api.sql`update party set country_code = 'SE' where parent_id is null`
  assert.equal((await read()).lang, 'sv')
  await api.sql`update party set country_code = null where parent_id is null`
})

test('a document is a PDF in each language, with the same bytes each time (getDocument, listDocuments)', async () => {
  const { debtorGuid } = await at.register()
  for (const language of languages) {
    const { documentGuid, languageCode } = await state(debtorGuid, { language })
    assert.equal(languageCode, language)
    const pdf = await readPdf(documentGuid)
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
    assert.ok(pdf.equals(await readPdf(documentGuid)))
  }
  const listed = await api.call<{ total: number; value: Document[] }>(
    'GET',
    `/debtors/${debtorGuid}/documents`,
  )
  assert.equal(listed.body.total, languages.length)
  assert.equal(listed.body.value[0]!.languageCode, 'de')
})

test('a letter keeps the content of its day whatever happens later', async () => {
  const { debtorGuid, caseGuid } = await at.register()
  const { documentGuid } = await state(debtorGuid)
  await at.pay({ caseGuid, amount: 1000 })
  assert.equal((await readLetterData(documentGuid)).totals[0]!.amount, '1,000.00 SEK')
  const nothing = await readLetterData((await state(debtorGuid)).documentGuid)
  assert.deepEqual([nothing.cases, nothing.payment], [[], []])
  assert.deepEqual(nothing.before, ['There is nothing to pay.'])
  await readPdf(documentGuid)
  await assert.rejects(api.sql`update document set title = 'x' where id = ${documentGuid}`, /does not change/)
})

test('user text is never interpreted as markup', async () => {
  const evil = '#panic("x") $ * _ [ ] \\ @ref <a> #sys.inputs'
  const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: evil, juridicalType: 1, street: '= Heading #let', city: '*Lund*' },
  })
  const { debtorGuid } = debtor.body
  await at.register({ debtorGuid, clientReferenceNumber: '#{1/0} $x$' })
  assert.ok((await readPdf((await state(debtorGuid)).documentGuid)).length > 1000)
})

test('a creditor sees a letter only if all its cases belong to the creditor’s clients', async () => {
  const { debtorGuid } = await at.register()
  const own = await state(debtorGuid)
  await at.register({ debtorGuid, clientGuid: at.other })
  const both = await state(debtorGuid)
  const token = await api.signIn(6, at.client)
  assert.ok((await readPdf(own.documentGuid, token)).length > 1000)
  const hidden = await api.call('GET', `/documents/${both.documentGuid}`, { token })
  assertProblem(hidden, 'not-found', /no such/i)
  const listed = await api.call<{ value: Document[] }>('GET', `/debtors/${debtorGuid}/documents`, { token })
  assert.deepEqual(
    listed.body.value.map(({ documentGuid }) => documentGuid),
    [own.documentGuid],
  )
  const eventsFor = async (who: string) => {
    const types = 'debtor.document_created,debtor.document_deleted'
    const found = [
      await api.call<{ value: Event[] }>('GET', `/events?types=${types}&limit=500`, { token: who }),
      await api.call<{ value: Event[] }>(
        'GET',
        `/events/search?$top=100&$orderby=sequence&$filter=${encodeURIComponent(`subject eq ${debtorGuid} and startswith(type,'debtor.document')`)}`,
        { token: who },
      ),
    ]
    return found.map(({ body, text }) => {
      assert.ok(Array.isArray(body.value), text)
      const about = body.value.filter(({ subject }) => subject === debtorGuid)
      return about.map(({ type, data }) => [type, data['documentGuid']])
    })
  }
  const [ofOwn, ofBoth] = [own, both].map(({ documentGuid }) => ['debtor.document_created', documentGuid])
  // The event feed waits for older transactions, of any test.
  while ((await eventsFor(api.token))[0]!.length < 2) await sleep(20)
  assert.deepEqual(await eventsFor(api.token), [
    [ofOwn, ofBoth],
    [ofOwn, ofBoth],
  ])
  assert.deepEqual(await eventsFor(token), [[ofOwn], [ofOwn]])
  // After the deletion nobody can tell which clients the document concerned.
  await api.sql`delete from document where id = ${own.documentGuid}`
  assert.deepEqual(await eventsFor(token), [[], []])
})

test('a language without letter texts is refused', async () => {
  const { debtorGuid } = await at.register()
  const answer = await api.call('POST', `/debtors/${debtorGuid}/documents`, { body: { language: 'fr' } })
  assertProblem(answer, 'invalid', /language/)
})
