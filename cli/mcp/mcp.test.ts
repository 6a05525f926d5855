/** The MCP server, tested by the official client as an assistant would use it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { readingTools, writingTools } from '../../server/integration/assistants/tools.ts'
import { openClient } from '../open-client.ts'
import { createMcpServer } from './mcp.ts'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'

let api: TestApi
let debtorGuid = ''
let caseGuid = ''

interface Spoken {
  client: Client
  call(
    name: string,
    given?: Record<string, unknown>,
  ): Promise<{ isError: boolean; text: string; value: never }>
}

async function speak(environment: Record<string, string>, allowWrites = false): Promise<Spoken> {
  const server = createMcpServer(openClient({ FORDRA_API_URL: api.address, ...environment }), { allowWrites })
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), client.connect(theirs)])
  return spoken(client)
}

const spoken = (client: Client): Spoken => ({
  client,
  call: async (name, given = {}) => {
    const result = await client.callTool({ name, arguments: given })
    const [{ text }] = result.content as [{ text: string }]
    const isError = result.isError === true
    return { isError, text, value: (isError ? undefined : JSON.parse(text)) as never }
  },
})

before(async () => {
  api = await startApi()
  const clientGuid = await api.addParty('NORD')
  const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Lindqvist', street: 'Storgatan', city: 'Malmö', zipCode: '21142', countryCode: 'SE' },
  })
  debtorGuid = debtor.body.debtorGuid
  const amounts = { currencyCode: 'SEK', principal: 1000, invoiceNumber: '1', dueDate: '2026-01-31' }
  const made = await api.call('POST', '/system/forms/case/register', {
    body: { clientGuid, debtorGuid, ...amounts },
  })
  assert.equal(made.status, 201, made.text)
  const { body } = await api.call<{ value: { caseGuid: string }[] }>('GET', `/debtors/${debtorGuid}/cases`)
  caseGuid = body.value[0]!.caseGuid
})
after(() => api.close())

describe('an assistant', () => {
  test('gets tools with schemas, and none that write', async () => {
    const { client } = await speak({ FORDRA_API_TOKEN: api.token })
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...readingTools],
    )
    const ajv = new Ajv({ strict: false })
    addFormats.default(ajv)
    for (const { inputSchema, annotations, description, name } of tools) {
      ajv.compile(inputSchema)
      assert.equal(annotations?.readOnlyHint, true, name)
      assert.ok(description!.length > 10)
      assert.doesNotMatch(JSON.stringify(inputSchema), /x-field|x-demands|\$id/)
      for (const member of Object.keys(inputSchema.properties!)) assert.match(member, /^[\w.-]{1,64}$/)
    }
    assert.match(client.getInstructions() ?? '', /explainCase/)
    await client.close()
  })

  test('finds and reads debtors, cases, explanations and the preview of a plan', async () => {
    const { client, call } = await speak({ FORDRA_API_TOKEN: api.token })
    const list: { total: number } = (await call('listDebtors', { filter: "fullName eq 'Lindqvist'", top: 5 }))
      .value
    assert.equal(list.total, 1)
    const found: { items: object[] } = (await call('searchItems', { q: 'lindqvist' })).value
    assert.ok(found.items.length > 0)
    const debtor: { fullName: string } = (await call('getDebtor', { debtorGuid })).value
    assert.equal(debtor.fullName, 'Lindqvist')
    const cases: { value: { remainingSum: number }[] } = (await call('listCases', { debtorGuid })).value
    assert.ok(cases.value[0]!.remainingSum >= 1000)
    const explained: { figures: object[] } = (await call('explainCase', { debtorGuid, caseGuid })).value
    assert.ok(explained.figures.length > 0)
    const body = { paymentPlanType: 1, numberOfPayments: 6 }
    const plan: { numberOfPayments: number } = (await call('calculatePaymentPlan', { debtorGuid, body }))
      .value
    assert.equal(plan.numberOfPayments, 6)
    assert.equal((await api.sql`select from payment_plan`).length, 0)
    await client.close()
  })

  test('gets errors that say what would be right', async () => {
    const { client, call } = await speak({ FORDRA_API_TOKEN: api.token })
    const wrong = await call('listDebtors', { filter: 'fullNam eq 1' })
    assert.ok(wrong.isError)
    assert.match(wrong.text, /400 invalid: .*fullNam/)
    assert.match((await call('getDebtor', { debtorGuid: 'x' })).text, /debtorGuid/)
    assert.match((await call('getDebtor')).text, /debtorGuid is missing/)
    assert.match((await call('getDebtor', { guid: 'x' })).text, /takes no guid\. It takes debtorGuid/)
    assert.match((await call('createDebtor', { body: {} })).text, /no tool createDebtor.*--allow-writes/)
    await client.close()
  })

  test('has only the rights of the caller', async () => {
    const creditor = await api.signIn(6, await api.addParty('SYD'))
    const { client, call } = await speak({ FORDRA_API_TOKEN: creditor }, true)
    const list: { total: number } = (await call('listDebtors')).value
    assert.equal(list.total, 0)
    assert.match((await call('getDebtor', { debtorGuid })).text, /404 not-found/)
    assert.match((await call('createDebtor', { body: { lastname: 'Ek' } })).text, /403 forbidden/)
    const stranger = await speak({ FORDRA_API_TOKEN: 'nobody' })
    assert.match((await stranger.call('listDebtors')).text, /401 unauthenticated/)
    await client.close()
    await stranger.client.close()
  })

  test('can write when that is enabled', async () => {
    const { client, call } = await speak({ FORDRA_API_TOKEN: api.token }, true)
    const { tools } = await client.listTools()
    assert.equal(tools.length, readingTools.length + writingTools.length)
    assert.ok(tools.filter(({ annotations }) => !annotations?.readOnlyHint).length === writingTools.length)
    const made: { fullName: string } = (await call('createDebtor', { body: { lastname: 'Ek' } })).value
    assert.equal(made.fullName, 'Ek')
    await client.close()
  })

  test('connects over standard input and output, which carries nothing else', async (t) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../main.ts'), 'mcp'],
      env: childEnvironment({ FORDRA_API_URL: api.address, FORDRA_API_TOKEN: api.token }),
    })
    const client = new Client({ name: 'test', version: '1' })
    const broken = t.mock.fn()
    Object.assign(client, { onerror: broken })
    await client.connect(transport)
    const list: { total: number } = (await spoken(client).call('listDebtors')).value
    assert.ok(list.total >= 1)
    await client.close()
    assert.equal(broken.mock.callCount(), 0)
  })
})

test('names missing settings', () => {
  assert.throws(() => openClient({}), /FORDRA_API_URL must be/)
  assert.throws(() => openClient({ FORDRA_API_URL: 'https://a.example/api' }), /FORDRA_API_URL must be/)
  assert.throws(() => openClient({ FORDRA_API_URL: 'https://a.example' }), /FORDRA_API_TOKEN/)
})
