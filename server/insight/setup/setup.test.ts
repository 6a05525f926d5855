/** The first steps of a new agency: what each lacks, and what makes it done. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { SetupStep, SetupStepCode, SetupSteps } from '../../../contract/insight/setup-steps.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { makeDebtor } from '../../testing/records/cases.ts'

let api: TestApi
let agencyGuid = ''
before(async () => {
  api = await startApi()
  await api.setDate('2026-09-01')
  agencyGuid = (await read()).agencyGuid
})
after(() => api.close())

const read = async (from = api) => (await from.call<SetupSteps>('GET', '/system/setup')).body

async function readStep(code: SetupStepCode, from = api): Promise<SetupStep> {
  const { value } = await read(from)
  return value.find(({ step }) => step === code)!
}

/** What a step lacks, each gap with the country, client or user that it is about. */
async function findGaps(code: SetupStepCode, from = api): Promise<string[]> {
  const { isDone, missing } = await readStep(code, from)
  assert.equal(isDone, missing.length === 0)
  return missing.map(({ gap, countryCode, clientName, userGuid }) =>
    [gap, countryCode, clientName, userGuid].filter((one) => one !== null).join(' '),
  )
}

async function patchForm(form: string, body: object, from = api): Promise<void> {
  const { status, text } = await from.call('PATCH', `/system/forms/${form}`, { body })
  assert.equal(status, 200, text)
}

async function addClient(name: string, more: object = {}, from = api): Promise<string> {
  const body = { name, partyReferenceCode: name.toUpperCase(), ...more }
  const {
    status,
    text,
    body: made,
  } = await from.call<{ clientGuid: string }>('POST', '/system/forms/client/create', { body })
  assert.equal(status, 201, text)
  return made.clientGuid
}

test('listSetupSteps tells an empty agency what to do, in order', async () => {
  const { value, isEmpty } = await read()
  assert.deepEqual(
    value.map(({ step, missing }) => [step, ...missing.map(({ gap }) => gap)].join(' ')),
    [
      'COMPANY NAME COUNTRY CURRENCY',
      'BANK BANK_ACCOUNT',
      'COUNTRIES COUNTRY',
      'CLIENT CLIENT',
      'TERMS CLIENT',
      'LETTERS LETTER_FOLDER',
      'USERS MAIL_SERVER PUBLIC_URL CASE_HANDLER',
      'IMPORT CASE',
    ],
  )
  assert.equal(isEmpty, true)
})

test('listSetupSteps is for administrators of the whole agency', async () => {
  for (const role of [4, 5, 6, 14] as const)
    assertProblem(await readAs(await api.signIn(role)), 'forbidden', /system.admin/, `role ${role}`)
  assertProblem(await readAs(null), 'unauthenticated', /token/)
  const client = await api.addParty('HELD')
  const token = await api.signIn(2)
  await api.sql`
    insert into user_client_restriction (user_id, party_id, include_sub_parties)
    select id, ${client}, true from app_user where user_role = 2 order by id desc limit 1`
  assertProblem(await readAs(token), 'forbidden', /restricted/)
  await api.sql`delete from user_client_restriction`
  await removeClient(client)
})

const readAs = (token: string | null) => api.call('GET', '/system/setup', { token })

const removeClient = async (client: string) => {
  const { status, text } = await api.call('DELETE', `/system/forms/client/edit?id=${client}`)
  assert.equal(status, 200, text)
}

test('listSetupSteps: the company has a name, a country and a currency, then an account', async () => {
  await patchForm(`client/edit?id=${agencyGuid}`, { name: 'Fordring AB', countryCode: 'SE' })
  assert.deepEqual(await findGaps('COMPANY'), ['CURRENCY'])
  await patchForm(`client/edit?id=${agencyGuid}`, { currencyCode: 'SEK' })
  assert.deepEqual(await findGaps('COMPANY'), [])
  assert.deepEqual(await findGaps('COUNTRIES'), [])
  assert.deepEqual(await findGaps('BANK'), ['BANK_ACCOUNT'])
  await patchForm(`client/terms?id=${agencyGuid}`, { bankAccountNo: '5050-1055' })
  assert.deepEqual(await findGaps('BANK'), [])
})

test('listSetupSteps: one client without gaps is enough, and of others the best is named', async () => {
  const first = await addClient('Ett')
  const second = await addClient('Tva')
  assert.deepEqual(await findGaps('CLIENT'), ['CLIENT_ACCOUNT Ett'], 'the currency is the agency’s')
  assert.deepEqual(await findGaps('TERMS'), ['CLAIM_KIND Ett', 'INTEREST Ett', 'STRATEGY Ett'])
  await patchForm(`client/terms?id=${second}`, { claimKind: 'CONSUMER_CREDIT', bankAccountNo: '5050-1055' })
  assert.deepEqual(await findGaps('CLIENT'), [])
  assert.deepEqual(await findGaps('TERMS'), ['INTEREST Tva', 'STRATEGY Tva'])
  await patchForm(`client/terms?id=${second}`, { interestSeries: 'SE', interestPoints: 8 })
  assert.deepEqual(await findGaps('TERMS'), ['STRATEGY Tva'])
  const assigned = await api.call('PUT', `/clients/${second}/strategy`, { body: { strategy: 'NORDIC' } })
  assert.equal(assigned.status, 200, assigned.text)
  assert.deepEqual(await findGaps('TERMS'), [])
  const below = await addClient('Under', { parentPartyReferenceCode: 'TVA' })
  await patchForm(`client/terms?id=${second}`, { interestSeries: '' })
  await patchForm(`client/terms?id=${below}`, { interestRate: 0 })
  assert.deepEqual(await findGaps('TERMS'), [], 'kind and strategy of the client above, interest of its own')
  assert.ok(first)
})

test('listSetupSteps: a client abroad needs a law pack, a rate of today, and fees', async () => {
  const abroad = await addClient('Utland', { countryCode: 'FR' })
  assert.deepEqual(await findGaps('COUNTRIES'), ['LAW_PACK FR'])
  await patchForm(`client/edit?id=${abroad}`, { countryCode: 'NO' })
  assert.deepEqual(await findGaps('COUNTRIES'), [])
  await api.setDate('2026-12-15')
  assert.deepEqual(await findGaps('COUNTRIES'), [], 'a rate that is due next month is not missing yet')
  await api.setDate('2035-09-01')
  assert.deepEqual(await findGaps('COUNTRIES'), ['REFERENCE_RATE NO', 'REFERENCE_RATE SE'])
  await api.setDate('2026-09-01')
  await removeClient(abroad)
})

test('listSetupSteps: fees are the client’s own where the law has none', async () => {
  const other = await startApi()
  const client = await addClient('Frank', { countryCode: 'FR', currencyCode: 'EUR' }, other)
  assert.ok((await findGaps('TERMS', other)).includes('FEES Frank'))
  await patchForm(`client/terms?id=${client}`, { fees: 'reminder 5' }, other)
  assert.ok(!(await findGaps('TERMS', other)).includes('FEES Frank'))
  await other.close()
})

test('listSetupSteps: a case handler, reachable administrators, a mail server and a public address', async () => {
  const handler = await api.addUser({ email: 'handler@agency.example', password: 'lösen' })
  assert.deepEqual(await findGaps('USERS'), ['MAIL_SERVER', 'PUBLIC_URL'])
  const disable = (disabled: boolean) =>
    api.call('PUT', `/users/${handler}`, { body: { password: null, disabled } })
  assert.equal((await disable(true)).status, 200)
  assert.deepEqual(await findGaps('USERS'), ['MAIL_SERVER', 'PUBLIC_URL', 'CASE_HANDLER'])
  assert.equal((await disable(false)).status, 200)
  const first = await api.addUser({ email: 'admin@localhost', password: 'lösen', userRole: 2 })
  assert.deepEqual(await findGaps('USERS'), ['MAIL_SERVER', 'PUBLIC_URL', `ADMINISTRATOR_EMAIL ${first}`])
  const changed = await api.call('PUT', `/users/${first}`, {
    body: { password: null, email: 'anna@agency.example' },
  })
  assert.equal(changed.status, 200, changed.text)
  const mail = { FORDRA_SMTP_URL: 'smtp://127.0.0.1:9', FORDRA_MAIL_FROM: 'agency@agency.example' }
  const unreachable = await api.startNode(mail)
  assert.deepEqual(await findGaps('USERS', unreachable), ['PUBLIC_URL'])
  await unreachable.close()
  const node = await api.startNode({ ...mail, FORDRA_PUBLIC_URL: 'https://inkasso.example' })
  assert.deepEqual(await findGaps('USERS', node), [])
  await node.close()
})

test('listSetupSteps: letters need a folder from which they are posted', async () => {
  const node = await api.startNode({ FORDRA_LETTERS: join(tmpdir(), 'letters-of-the-first-steps') })
  assert.deepEqual(await findGaps('LETTERS', node), [])
  await node.close()
  assert.deepEqual(await findGaps('LETTERS'), ['LETTER_FOLDER'])
})

test('listSetupSteps: a case is the last step', async () => {
  const [client] = await api.sql<{ id: string }[]>`select id from party where reference_code = 'TVA'`
  const body = { clientGuid: client!.id, debtorGuid: await makeDebtor(api), principal: 100 }
  const { status, text } = await api.call('POST', '/system/forms/case/register', { body })
  assert.equal(status, 201, text)
  assert.deepEqual(await findGaps('IMPORT'), [])
  assert.equal((await read()).isEmpty, false)
})
