/** The forms of cases and payments over HTTP: answers, errors and access. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApi, type TestApi } from '../testing/api.ts'
import { assertProblem } from '../testing/problem.ts'
import { assertProven, makeDebtor, openCases, setTerms } from '../testing/records/cases.ts'

type Values = Record<string, string | number | boolean> & { errors?: Record<string, string[]> }

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
/** The token of a user restricted to the other client. */
let creditor = ''
let fieldCollector = ''
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  await setTerms(api, cases.client, { country_code: 'SE', currency_code: 'SEK' })
  creditor = await api.signIn(6, cases.other)
  fieldCollector = await api.signIn(14)
})
after(() => api.close())

const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
const send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  name: string,
  query: Record<string, string>,
  body?: object,
  token = api.token,
) =>
  api.call<Values>(method, `/system/forms/${name}?${new URLSearchParams(query)}`, {
    token,
    ...(body && { body }),
  })
const post = (name: string, id: string, body: object, token?: string) =>
  send('POST', name, id === '' ? {} : { id }, body, token)
const patch = (name: string, id: string, body: object, token?: string) =>
  send('PATCH', name, { id }, body, token)
const read = (name: string, id: string) => send('GET', name, { initialValues: 'true', id })
const recalculate = (name: string, recalc: string, body: object) =>
  send('POST', `${name}/recalculate`, { recalc }, body)
const register = async (input: object = {}) => {
  const debtorGuid = await makeDebtor(api)
  const body = { clientGuid: cases.client, debtorGuid, principal: 1000, ...input }
  const answer = await post('case/register', '', body)
  assert.equal(answer.status, 201, answer.text)
  return { debtorGuid, ...answer.body } as Values & { debtorGuid: string; caseGuid: string }
}

describe('the form of a case', () => {
  test('previews a registration, then registers the case with its guid, number and reference', async () => {
    const debtorGuid = await makeDebtor(api)
    const body = {
      clientGuid: cases.client,
      debtorGuid,
      principal: 1000,
      interestRate: 10,
      dueDate: '2026-01-01',
    }
    const reference = await recalculate('case/register', 'paymentreference', body)
    const totals = await recalculate('case/register', 'totals', body)
    assert.deepEqual(totals.body, { currencyCode: 'SEK', remainingInterest: 45.21, remainingSum: 1045.21 })
    const made = await post('case/register', '', body)
    assert.equal(made.status, 201)
    assert.equal(made.body['paymentReferenceNumber'], reference.body['paymentReferenceNumber'])
    assert.match(String(made.body['caseNumber']), /^\d+$/)
    const edit = await read('case/edit', String(made.body['caseGuid']))
    assert.equal(edit.body['remainingSum'], 1045.21)
    assert.equal(edit.body['caseNumber'], made.body['caseNumber'])
    const wrong = await recalculate('case/register', 'totals', { ...body, principal: 1.234 })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors!)], [400, ['principal']])
    const none = await recalculate('case/register', 'paymentreference', { clientGuid: nowhere })
    assert.deepEqual(Object.keys(none.body.errors!), ['clientGuid', 'currencyCode'])
  })

  test('changes the case only with its current entity tag', async () => {
    const { caseGuid } = await register()
    const stale = await api.call('PATCH', `/system/forms/case/edit?id=${caseGuid}`, {
      body: { description: 'x' },
      headers: { 'if-match': '"99"' },
    })
    assert.equal(stale.status, 412)
    assert.equal((await patch('case/edit', caseGuid, { clientReferenceNumber: 'K-77' })).status, 200)
    assert.equal((await read('case/edit', caseGuid)).body['clientReferenceNumber'], 'K-77')
  })

  test('follows the status rules, and a refusal lists the allowed transitions', async () => {
    const { caseGuid } = await register()
    const refused = await patch('case/status', caseGuid, { status: 'ENFORCEMENT' })
    assertProblem(refused, 'conflict', /cannot become/)
    assert.deepEqual((refused.body as unknown as { allowedTransitions: string[] }).allowedTransitions, [
      'NEW',
      'PRECOLLECTION',
      'AMICABLE',
      'CLOSED',
    ])
    assert.ok(refused.body.errors!['status'])
    assert.equal((await patch('case/status', caseGuid, { status: 'AMICABLE' })).status, 200)
    assert.equal((await patch('case/hold', caseGuid, { reason: 'HOLD_DISPUTE' })).status, 200)
    const held = await read('case/status', caseGuid)
    assert.deepEqual([held.body['status'], held.body['subStatus']], ['AMICABLE', 'DEMAND_SENT'])
    assert.equal((await read('case/hold', caseGuid)).body['reason'], 'HOLD_DISPUTE')
    assert.equal((await read('case/edit', caseGuid)).body['subStatus'], 'HOLD_DISPUTE')
    assert.equal((await patch('case/resume', caseGuid, {})).status, 200)
    assert.equal((await patch('case/resume', caseGuid, {})).status, 409)
    const early = await patch('case/close', caseGuid, { closureCode: 'PAID_IN_FULL' })
    assert.deepEqual([early.status, Object.keys(early.body.errors!)], [409, ['closureCode']])
    assert.equal((await patch('case/close', caseGuid, { closureCode: 'RECALLED_BY_CLIENT' })).status, 200)
    assert.equal((await post('fee/add', caseGuid, { feeType: 'reminder', amount: 1 })).status, 409)
    assert.equal((await patch('case/reopen', caseGuid, {})).status, 200)
    assert.equal((await read('case/edit', caseGuid)).body['status'], 'AMICABLE')
  })

  test('adds and removes debtors', async () => {
    const { caseGuid, debtorGuid } = await register()
    const other = await makeDebtor(api)
    const added = await post('case/debtor', caseGuid, { debtorGuid: other })
    assert.deepEqual(
      [added.status, added.body['debtorGuid'], added.body['debtorRole']],
      [201, other, 'CO_DEBTOR'],
    )
    assert.equal((await post('case/debtor', caseGuid, { debtorGuid: other })).status, 409)
    const remove = (subId: string) => send('DELETE', 'case/debtor', { id: caseGuid, subId })
    assert.equal((await remove('')).status, 400)
    assert.equal((await remove(other)).status, 200)
    assert.equal((await remove(other)).status, 404)
    assert.equal((await remove(debtorGuid)).status, 409)
  })

  test('shows and changes the terms', async () => {
    const { caseGuid } = await register({ interestRate: 8 })
    assert.equal((await read('case/terms', caseGuid)).body['interestRate'], 8)
    const input = { interestSeries: 'SE', interestPoints: 8, tolerance: 5 }
    assert.equal((await patch('case/terms', caseGuid, input)).status, 200)
    const { body } = await read('case/terms', caseGuid)
    assert.deepEqual(
      [body['interestRate'], body['interestSeries'], body['interestPoints'], body['tolerance']],
      [undefined, 'SE', 8, 5],
    )
  })

  test('records an interruption, which postpones the limitation date', async () => {
    const { caseGuid } = await register({ dueDate: '2020-01-01', claimKind: 'GENERAL' })
    const made = await post('limitation/interrupt', caseGuid, { interruption: 'DEMAND' })
    assert.equal(made.status, 201, made.text)
    const { limitationDate } = (await read('case/edit', caseGuid)).body
    assert.equal(made.body['limitationDate'], limitationDate)
    assert.ok(String(limitationDate) > '2036')
  })
})

describe('the form of a payment', () => {
  test('previews a payment, books it, and reverses it once', async () => {
    const { caseGuid, paymentReferenceNumber } = await register({ principal: 500, fee: 60 })
    const input = { paymentReferenceNumber, amount: 600 }
    const preview = await recalculate('payment/register', 'allocation', input)
    assert.equal(preview.body['allocatedPrincipal'], 500)
    assert.equal(preview.body['allocatedFee'], 60)
    assert.deepEqual([preview.body['credit'], preview.body['remainingSum']], [40, 0])
    assert.equal((await read('case/edit', caseGuid)).body['remainingSum'], 560)
    const made = await post('payment/register', '', { ...input, payerReference: 'BANK-9' })
    assert.deepEqual([made.status, made.body['credit']], [201, 40])
    assert.equal((await read('case/edit', caseGuid)).body['status'], 'CLOSED')
    const again = await post('payment/register', '', { ...input, payerReference: 'BANK-9' })
    assert.deepEqual([again.status, Object.keys(again.body.errors!)], [409, ['payerReference']])
    const paymentGuid = String(made.body['paymentGuid'])
    assert.equal((await read('payment/reverse', paymentGuid)).body['amount'], 600)
    const without = await patch('payment/reverse', paymentGuid, {})
    assert.deepEqual([without.status, Object.keys(without.body.errors!)], [400, ['reason']])
    assert.equal((await patch('payment/reverse', paymentGuid, { reason: 'bounced' })).status, 200)
    assert.equal((await patch('payment/reverse', paymentGuid, { reason: 'bounced' })).status, 409)
    assert.equal((await read('case/edit', caseGuid)).body['remainingSum'], 560)
    await assertProven(api)
  })

  test('refuses wrong input by field', async () => {
    const { caseGuid } = await register()
    const wrong: [body: object, status: number, field: string][] = [
      [{ caseGuid }, 400, 'amount'],
      [{ caseGuid, amount: 0 }, 400, 'amount'],
      [{ caseGuid, amount: 1.001 }, 400, 'amount'],
      [{ amount: 1 }, 400, 'caseGuid'],
      [{ caseGuid: nowhere, amount: 1 }, 404, 'caseGuid'],
      [{ paymentReferenceNumber: '12345', amount: 1 }, 400, 'paymentReferenceNumber'],
      [{ caseGuid, amount: 1, valueDate: '2026-06-16' }, 400, 'valueDate'],
      [{ caseGuid, amount: 1, currencyCode: 'NOK' }, 422, 'currencyCode'],
    ]
    for (const [body, status, field] of wrong) {
      const answer = await post('payment/register', '', body)
      assert.deepEqual(
        [answer.status, Object.keys(answer.body.errors!)],
        [status, [field]],
        JSON.stringify(body),
      )
    }
  })
})

test('the forms of movements return the guid of what they booked', async () => {
  const { caseGuid } = await register({ dueDate: '2026-05-01', reminderFeeAgreed: true })
  const invoice = await post('invoice/create', caseGuid, { principal: 200, invoiceNumber: 'F-2' })
  const { invoiceGuid } = invoice.body
  const made = [
    [invoice, 'invoiceGuid'],
    [await post('invoice/credit', String(invoiceGuid), { amount: 50 }), 'movementGuid'],
    [await post('fee/add', caseGuid, { feeType: 'reminder' }), 'feeGuid'],
    [await post('writeoff/register', caseGuid, { amount: 10, component: 'cost' }), 'writeoffGuid'],
  ] as const
  for (const [{ status, body, headers, text }, guid] of made) {
    assert.equal(status, 201, text)
    assert.match(String(body[guid]), /^[0-9a-f-]{36}$/)
    const { status: found } = await api.call('GET', headers.get('location')!.replace('/api/v1', ''))
    assert.equal(found, 200, guid)
  }
  // 1,000 + 200 − 50 + the statutory reminder fee of 60 − 10.
  assert.equal((await read('case/edit', caseGuid)).body['remainingSum'], 1200)
  const more = await post('writeoff/register', caseGuid, { amount: 5000 })
  assert.deepEqual([more.status, Object.keys(more.body.errors!)], [422, ['amount']])
  await assertProven(api)
})

test('only an administrator can set a reference rate', async () => {
  const rate = { interestSeries: 'SE', validFrom: '2030-01-01', rate: 3.5 }
  const made = await post('interestrate/create', '', rate)
  assert.deepEqual([made.status, typeof made.body['interestRateGuid']], [201, 'string'])
  assert.equal((await post('interestrate/create', '', rate, fieldCollector)).status, 403)
})

test('cases, invoices and payments of other clients are not found', async () => {
  const { caseGuid } = await register()
  const invoice = await post('invoice/create', caseGuid, { principal: 5 })
  const payment = await post('payment/register', '', { caseGuid, amount: 1 })
  const everything = await api.signIn(6, cases.other)
  const groupId = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e71'
  await api.sql`
    insert into access_group (id, code, name, access_codes)
    values (${groupId}, 'CASES', 'Cases', ${['case.read', 'case.write', 'payment.read', 'payment.write', 'client.write', 'form.read', 'form.write']})`
  await api.sql`
    insert into user_access_group select id, ${groupId} from app_user where party_id = ${cases.other}`
  const as = [creditor, everything]
  const tries: [method: 'POST' | 'PATCH', name: string, id: string, body: object][] = [
    ['PATCH', 'case/edit', caseGuid, { description: 'x' }],
    ['PATCH', 'case/status', caseGuid, { status: 'AMICABLE' }],
    ['PATCH', 'case/hold', caseGuid, { reason: 'HOLD_FRAUD' }],
    ['PATCH', 'case/resume', caseGuid, {}],
    ['PATCH', 'case/close', caseGuid, { closureCode: 'OTHER' }],
    ['PATCH', 'case/reopen', caseGuid, {}],
    ['PATCH', 'case/terms', caseGuid, { interestRate: 1 }],
    ['PATCH', 'client/terms', cases.client, { interestRate: 1 }],
    ['PATCH', 'payment/reverse', String(payment.body['paymentGuid']), { reason: 'x' }],
    ['POST', 'case/debtor', caseGuid, { debtorGuid: await makeDebtor(api) }],
    ['POST', 'invoice/create', caseGuid, { principal: 1 }],
    ['POST', 'invoice/credit', String(invoice.body['invoiceGuid']), { amount: 1 }],
    ['POST', 'fee/add', caseGuid, { feeType: 'reminder', amount: 1 }],
    ['POST', 'writeoff/register', caseGuid, { amount: 1 }],
    ['POST', 'credit/refund', caseGuid, { amount: 1 }],
    ['POST', 'credit/use', caseGuid, { amount: 1 }],
    ['POST', 'limitation/interrupt', caseGuid, { interruption: 'DEMAND' }],
  ]
  for (const [method, name, id, body] of tries) {
    for (const token of as) {
      const answer = await send(method, name, { id }, body, token)
      assert.equal(answer.status, 404, `${name} ${answer.text}`)
      const opened = await send('GET', name, { initialValues: 'true', id }, undefined, token)
      assert.equal(opened.status, 404, `${name} opened ${opened.text}`)
    }
  }
  const paid = await post('payment/register', '', { caseGuid, amount: 1 }, everything)
  assert.deepEqual([paid.status, Object.keys(paid.body.errors!)], [404, ['caseGuid']])
  const debtorGuid = await makeDebtor(api)
  const made = await post(
    'case/register',
    '',
    { clientGuid: cases.client, debtorGuid, principal: 1 },
    everything,
  )
  assert.equal(made.status, 400)
  assert.ok(made.body.errors!['clientGuid'])
})

test('a field collector can register payments and notes but cannot change a case', async () => {
  const { caseGuid } = await register()
  assert.equal((await post('payment/register', '', { caseGuid, amount: 1 }, fieldCollector)).status, 201)
  assert.equal((await post('note/create', caseGuid, { text: 'Was at home.' }, fieldCollector)).status, 201)
  for (const name of ['case/status', 'case/hold', 'case/close', 'case/edit'])
    assert.equal((await patch(name, caseGuid, {}, fieldCollector)).status, 403, name)
  for (const name of ['fee/add', 'writeoff/register', 'invoice/create', 'credit/refund'])
    assert.equal((await post(name, caseGuid, {}, fieldCollector)).status, 403, name)
})

test('search finds cases and invoices by each of their references, and favorites keep them', async () => {
  const { caseGuid, paymentReferenceNumber, caseNumber } = await register({
    clientReferenceNumber: 'KL/2026-41',
    invoiceNumber: 'INV 7788-1',
  })
  const reference = String(paymentReferenceNumber)
  const spaced = reference.replaceAll(/\B(?=(.{5})+$)/g, ' ')
  const search = async (q: string, token = api.token) =>
    (
      await api.call<{ items: { guid: string; type: number }[] }>(
        'GET',
        `/search?${new URLSearchParams({ q })}`,
        {
          token,
        },
      )
    ).body.items
  for (const q of [String(caseNumber), reference, spaced, 'KL/2026-41', 'kl202641']) {
    assert.ok(
      (await search(q)).some(({ guid }) => guid === caseGuid),
      q,
    )
    assert.deepEqual(await search(q, creditor), [], q)
  }
  const [invoice] = (await search('inv77881')).filter(({ type }) => type === 5)
  assert.ok(invoice)
  const described = await api.call<{ items: { primaryDescription: string; secondaryDescription: string }[] }>(
    'POST',
    '/users/itemdescriptions',
    { body: { guid: caseGuid, type: 1 } },
  )
  assert.equal(described.body.items[0]!.primaryDescription, caseNumber)
  assert.equal(described.body.items[0]!.secondaryDescription, 'CLIENT, KL/2026-41')
  const lookup = async (code: string, searchStr: string) =>
    (
      await api.call<{ values: { lookupKey: string }[] }>('POST', `/system/lookups/${code}`, {
        body: { searchStr },
      })
    ).body.values.map(({ lookupKey }) => lookupKey)
  assert.deepEqual(await lookup('case', reference), [caseGuid])
  assert.deepEqual(await lookup('invoice', 'INV 7788'), [invoice.guid])
  await patch('case/edit', caseGuid, { clientReferenceNumber: 'NEW-9' })
  assert.ok((await search('new9')).some(({ guid }) => guid === caseGuid))
  assert.deepEqual(
    (await search('KL/2026-41')).filter(({ guid }) => guid === caseGuid),
    [],
  )
  const favorite = await api.call('POST', '/users/current/favorites', { body: { type: '1', guid: caseGuid } })
  assert.equal(favorite.status, 201)
})
