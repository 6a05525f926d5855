/** A person allows an assistant in the console, and disconnects it. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  callback,
  exchange,
  newVerifier,
  register,
  makeRequest,
} from '../../../server/testing/records/connected-assistant.ts'
import { generateCode, makeAppUser, makeUser } from '../../../server/testing/records/enrolled-user.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest, type Opened } from '../browser.ts'

/** The program's own page, which the browser returns to. */
const answerCallback = ({ context }: Opened) =>
  context.route(`${callback}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Back in the program</h1>' }),
  )
const leave = async ({ context, faults }: Opened) => {
  await context.close()
  assert.deepEqual(
    faults.filter((fault) => fault !== `a request to ${new URL(callback).origin}`),
    [],
  )
}

describe('connecting an assistant', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole('127.0.0.1', {
      FORDRA_ASSISTANTS: 'write',
      FORDRA_ASSISTANT_HOSTS: 'publisher.example',
    })
  })
  after(() => tested?.close())

  const addressOf = (clientId: string, verifier: string) =>
    `/oauth2/authorize?${new URLSearchParams({ ...makeRequest(tested.api, clientId, verifier), prompt: 'consent' })}`

  test('asks for password and second factor, shows who asks, and returns with a code', async () => {
    const user = await makeAppUser(tested.api)
    const [clientId, verifier] = [await register(tested.api), newVerifier()]
    const opened = await tested.open(addressOf(clientId, verifier))
    const { page } = opened
    await answerCallback(opened)
    await page.getByLabel('E-mail or user code').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code', { exact: true }).fill(await generateCode(user.secret, 1))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('“Desk” asks to work in Fordra with your rights').waitFor()
    await page.getByText('Your browser goes to assistant.example afterwards').waitFor()
    assert.equal(await page.getByLabel('Read what you may read').isChecked(), true)
    assert.deepEqual(await findViolations(page, 'connect'), [])
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Back in the program' }).waitFor()
    const code = new URL(page.url()).searchParams.get('code')!
    const given = await exchange(tested.api, clientId, code, verifier)
    assert.equal(given.status, 200, given.text)
    assert.doesNotMatch(given.body.scope, /write/)

    await page.goto(`${tested.api.address}/profile`)
    await page.getByRole('heading', { name: 'Connected assistants' }).waitFor()
    assert.deepEqual(await findViolations(page, 'profile with an assistant'), [])
    await page.getByRole('button', { name: 'Disconnect Desk' }).click()
    await page.getByRole('heading', { name: 'Connected assistants' }).waitFor({ state: 'detached' })
    const renewed = await exchange(tested.api, clientId, code, verifier)
    assert.equal(renewed.status, 400)
    await leave(opened)
  })

  test('the host that describes the program is named, and what that proves', async () => {
    const clientId = 'https://publisher.example/client.json'
    const local = 'http://127.0.0.1:49152/callback'
    // Read a moment ago.
    await tested.api.sql`
      insert into assistant_client (id, name, redirect_uris, document_url, fresh_until)
      values (gen_random_uuid(), 'Hosted', ${[callback, local]}::text[], ${clientId}, now() + interval '1 hour')`
    const { email } = await makeUser(tested.api)
    const { page, close } = await tested.open('/', { login: email })
    const address = addressOf(clientId, newVerifier())
    await page.goto(address)
    await page.getByText('publisher.example describes this program').waitFor()
    await page.getByText('Your browser goes to assistant.example afterwards').waitFor()
    assert.deepEqual(await findViolations(page, 'connect with a document'), [])
    await page.goto(address.replace(encodeURIComponent(callback), encodeURIComponent(local)))
    await page.getByText('Any program on this computer can say so').waitFor()
    await close()
  })

  test('refusing returns without a code', async () => {
    const { email } = await makeUser(tested.api)
    const address = addressOf(await register(tested.api), newVerifier())
    const opened = await tested.open('/', { login: email })
    await answerCallback(opened)
    await opened.page.goto(address)
    await opened.page.getByRole('button', { name: 'Refuse' }).click()
    await opened.page.getByRole('heading', { name: 'Back in the program' }).waitFor()
    const { searchParams } = new URL(opened.page.url())
    assert.deepEqual([searchParams.get('error'), searchParams.get('code')], ['access_denied', null])
    await leave(opened)
  })

  test('a request that is wrong is shown, and leads nowhere', async () => {
    const { email } = await makeUser(tested.api)
    const address = addressOf(await register(tested.api, ['https://evil.example/cb']), newVerifier())
    const { page, close } = await tested.open('/', { login: email })
    await page.goto(address)
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Allow' }).count(), 0)
    assert.equal(new URL(page.url()).pathname, '/connect')
    await close()
  })
})
