/** Every tool does what it declares: the shape of its answer, and what it changes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../../../contract/openapi/openapi-document.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { connectAssistant, makeApiUser, type Assistant } from './assistant-for-tests.ts'
import { listTools, readingTools } from './tools.ts'

let api: TestApi
let node: TestApi
let assistant: Assistant
let debtorGuid = ''
let caseGuid = ''
let paymentplanGuid = ''
let addressGuid = ''

before(async () => {
  api = await startApi()
  node = await api.startNode({ FORDRA_ASSISTANTS: 'write' })
  const clientGuid = await api.addParty('NORD')
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: {
      lastname: 'Lindqvist',
      idNumber: '900101-2385',
      email: 'lindqvist@example.com',
      cellularPhone: '070-174 06 05',
      street: 'Storgatan',
      city: 'Malmö',
      zipCode: '21142',
      countryCode: 'SE',
    },
  })
  debtorGuid = made.body.debtorGuid
  const amounts = { currencyCode: 'SEK', principal: 1000, invoiceNumber: '1', dueDate: '2026-01-31' }
  const registered = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', {
    body: { clientGuid, debtorGuid, ...amounts },
  })
  assert.equal(registered.status, 201, registered.text)
  caseGuid = registered.body.caseGuid
  await addRecords()
  assistant = await connectAssistant(node, await makeApiUser(api))
  // From here on the official client checks each answer against the schema of its tool.
  await assistant.client.listTools()
})
after(async () => {
  await assistant.client.close()
  await node.close()
  await api.close()
})

async function addRecords(): Promise<void> {
  for (const id of [debtorGuid, caseGuid]) {
    const note = await api.call('POST', `/system/forms/note/create?id=${id}`, { body: { text: 'Called.' } })
    assert.equal(note.status, 201, note.text)
  }
  const payment = await api.call('POST', '/system/forms/payment/register', {
    body: { caseGuid, amount: 100 },
  })
  assert.equal(payment.status, 201, payment.text)
  const plan = await api.call<{ paymentPlanGuid: string }>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 6 },
  })
  assert.equal(plan.status, 201, plan.text)
  paymentplanGuid = plan.body.paymentPlanGuid
  const addresses = await api.call<{ value: { addressGuid: string }[] }>(
    'GET',
    `/debtors/${debtorGuid}/addresses`,
  )
  addressGuid = addresses.body.value[0]!.addressGuid
}

const inputs: Record<string, () => Record<string, unknown>> = {
  searchItems: () => ({ q: 'lindqvist' }),
  listDebtors: () => ({ filter: "fullName eq 'Lindqvist'" }),
  getDebtor: () => ({ debtorGuid }),
  listAddresses: () => ({ debtorGuid }),
  listDebtorNotes: () => ({ debtorGuid }),
  getCaseOverview: () => ({ debtorGuid }),
  listCases: () => ({ debtorGuid }),
  listAllCases: () => ({}),
  getCaseByGuid: () => ({ caseGuid }),
  explainCase: () => ({ debtorGuid, caseGuid }),
  getCasePermissions: () => ({ debtorGuid, caseGuid }),
  listCaseMovements: () => ({ caseGuid }),
  listCaseNotes: () => ({ caseGuid }),
  listPaymentPlans: () => ({ debtorGuid }),
  getPaymentPlan: () => ({ debtorGuid, paymentplanGuid }),
  calculatePaymentPlan: () => ({ debtorGuid, body: { paymentPlanType: 1, numberOfPayments: 4 } }),
  listClients: () => ({}),
  getCurrentUser: () => ({}),
  getSystemInformation: () => ({}),
  createDebtor: () => ({ body: { lastname: 'Ek' } }),
  updateDebtor: () => ({ debtorGuid, body: { email: 'a.lindqvist@example.com' } }),
  createAddress: () => ({
    debtorGuid,
    body: { addressType: 'LEGAL', street: 'Kungsgatan', zipCode: '111 43', city: 'Stockholm' },
  }),
  updateAddress: () => ({ debtorGuid, addressGuid, body: { city: 'Lund' } }),
  createPaymentPlan: () => ({ debtorGuid, body: { paymentPlanType: 1, numberOfPayments: 3 } }),
  activatePaymentPlan: () => ({ debtorGuid, paymentplanGuid }),
  cancelPaymentPlan: () => ({ debtorGuid, paymentplanGuid }),
  createFromForm: () => ({ entity: 'note', type: 'create', id: debtorGuid, body: { text: 'Wrote.' } }),
}

/** Every object takes only the members that its schema names. */
function closed(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties' || keyword === 'patternProperties')
      return [
        keyword,
        Object.fromEntries(
          Object.entries(value as Record<string, JsonSchema>).map(([name, child]) => [name, closed(child)]),
        ),
      ]
    if (keyword === 'items') return [keyword, closed(value as JsonSchema)]
    if (keyword === 'anyOf') return [keyword, (value as JsonSchema[]).map(closed)]
    return [keyword, value]
  })
  return {
    ...('properties' in schema && { additionalProperties: false }),
    ...Object.fromEntries(entries),
  }
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)

/** Rows by table, as texts with their counts. */
type Rows = Map<string, Map<string, number>>

/** Without what a signed-in request and the nodes' own work leave behind. */
const ofTheService = new Set(['session', 'session_token'])

async function readRows(): Promise<Rows> {
  const tables = await api.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const rows: Rows = new Map()
  for (const { name } of tables) {
    if (ofTheService.has(name)) continue
    const found = await api.sql.unsafe<{ text: string; count: number }[]>(
      `select t::text as text, count(*)::int as count from public."${name}" t group by 1`,
    )
    rows.set(name, new Map(found.map(({ text, count }) => [text, count])))
  }
  return rows
}

/** The tables with rows that are in `some` and not in `others`. */
const missingIn = (others: Rows, some: Rows): string[] =>
  [...some]
    .filter(([name, rows]) => [...rows].some(([text, count]) => (others.get(name)?.get(text) ?? 0) < count))
    .map(([name]) => name)
    .toSorted()

test('each tool declares the shape of its answer, and answers in it', async () => {
  const tools = listTools(true)
  assert.deepEqual(
    Object.keys(inputs),
    tools.map(({ name }) => name),
  )
  for (const { name, outputSchema } of tools) {
    const { isError, text, value } = await assistant.call(name, inputs[name]!())
    assert.ok(!isError, `${name}: ${text}`)
    const matches = ajv.compile(closed(outputSchema))
    assert.ok(matches(value), `${name}: ${ajv.errorsText(matches.errors)} in ${text}`)
    assert.doesNotMatch(text, /":null/, name)
  }
})

test('the check finds a member that is missing, of another type or not declared', () => {
  const { outputSchema } = listTools(false).find(({ name }) => name === 'getSystemInformation')!
  const matches = ajv.compile(closed(outputSchema))
  assert.ok(!matches({}))
  assert.ok(!matches({ version: 1 }))
  assert.match(ajv.errorsText(ajv.compile(closed({ type: 'object', properties: {} })).errors), /No errors/)
  assert.ok(!ajv.compile(closed({ type: 'object', properties: {} }))({ secret: 1 }))
})

test('rows of lists are slim: they tell records apart, and the record has the rest', async () => {
  const personal = /19900101|1990-01-01|lindqvist@example|\+4670174/
  assert.match((await assistant.call('getDebtor', { debtorGuid })).text, personal)
  for (const [name, input] of Object.entries({
    listDebtors: {},
    listCases: { debtorGuid },
    listAllCases: {},
    searchItems: { q: 'lindqvist' },
  })) {
    const { text } = await assistant.call(name, input)
    assert.match(text, /Lindqvist/, name)
    assert.doesNotMatch(text, personal, name)
  }
  const whole = await api.call('GET', '/cases')
  const slim = await assistant.call('listAllCases')
  assert.ok(slim.text.length * 1.5 < whole.text.length, `${slim.text.length} of ${whole.text.length}`)
  const user = await assistant.call('getCurrentUser')
  assert.doesNotMatch(user.text, /photoImage|street/)
})

test('a tool that is read-only changes no row', async () => {
  const was = await readRows()
  for (const name of readingTools) {
    const { annotations } = listTools(true).find((tool) => tool.name === name)!
    assert.deepEqual([annotations.readOnlyHint, annotations.destructiveHint], [true, false])
    const { isError, text } = await assistant.call(name, inputs[name]!())
    assert.ok(!isError, text)
    const now = await readRows()
    assert.deepEqual([...missingIn(now, was), ...missingIn(was, now)], [], name)
  }
})

test('a tool that says that it only adds leaves what was there', async () => {
  for (const { name, annotations } of listTools(true)) {
    if (annotations.readOnlyHint || annotations.destructiveHint) continue
    const was = await readRows()
    const { isError, text } = await assistant.call(name, inputs[name]!())
    assert.ok(!isError, text)
    const now = await readRows()
    assert.notDeepEqual(missingIn(was, now), [], `${name} adds nothing`)
    // A list's total counts on in its row.
    assert.deepEqual(
      missingIn(now, was).filter((table) => table !== 'list_total'),
      [],
      name,
    )
  }
})

test('a tool that says that repeating changes no more does not', async () => {
  for (const { name, annotations } of listTools(true)) {
    if (annotations.readOnlyHint || !annotations.idempotentHint) continue
    await assistant.call(name, inputs[name]!())
    const was = await readRows()
    await assistant.call(name, inputs[name]!())
    const now = await readRows()
    assert.deepEqual([...missingIn(now, was), ...missingIn(was, now)], [], name)
  }
})

test('forms that would outlive the connection are not among the tools', async () => {
  for (const entity of [
    'user',
    'accessgroup',
    'webhook',
    'schedule',
    'systemsettings',
    'strategy',
    'writeoff',
  ]) {
    const made = await assistant.call('createFromForm', { entity, type: 'create', body: {} })
    assert.match(made.text, /^entity must be one of case, debtor,/, entity)
  }
})
