/** The client against the running service: all operations, and its own features. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations } from '../contract/api.ts'
import { listProblemKinds } from '../contract/platform/operation-rules.ts'
import type { Operation } from '../contract/platform/operation.ts'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { ApiProblem, createClient, ServiceUnreachable, type Client } from './client.ts'

const password = 'en lång mening som är min'
const nobody = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'

let api: TestApi
let client: Client

/** A fetch that records requests and can inject faults. */
function watchedFetch() {
  const requests: { method: string; path: string; headers: Headers }[] = []
  const faults: (Response | Error)[] = []
  const watched: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    requests.push({ method: init!.method!, path: url.pathname, headers: new Headers(init!.headers) })
    const fault = faults.shift()
    if (fault instanceof Error) throw fault
    return fault ?? fetch(input, init)
  }
  return { watched, requests, faults }
}

const signedIn = (more: object = {}) =>
  createClient({
    baseUrl: api.address,
    tokens: { accessToken: api.token, refreshToken: 'none', expiresAt: Date.now() + 60_000 },
    ...more,
  })

before(async () => {
  api = await startApi()
  client = signedIn()
})
after(() => api.close())

async function makeRecords() {
  const { debtorGuid } = await client.createDebtor({ body: { lastname: 'Lindqvist', countryCode: 'SE' } })
  const { addressGuid } = await client.createAddress({
    debtorGuid,
    body: { street: 'Storgatan', city: 'Malmö', countryCode: 'SE' },
  })
  await client.createExtraField({ debtorGuid, body: { name: 'yrke', value: ['bagare'] } })
  const userGuid = await api.addUser({ email: 'walk@agency.example', password })
  return {
    what: 'debtors',
    debtorGuid,
    addressGuid,
    name: 'yrke',
    userGuid,
    context: 'console',
    group: 'walk',
    guid: nobody,
    sessionGuid: nobody,
  }
}

function inputFor(operation: Operation, known: Record<string, string>): Record<string, unknown> {
  const members = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const params = Object.fromEntries(members.map((name) => [name, known[name] ?? nobody]))
  const body =
    operation.example?.body ??
    (operation.body
      ? { currentPassword: password, code: '000000', challenge: 'none', mfaType: 2, refreshToken: 'none' }
      : undefined)
  if (operation.name === 'addFavorite')
    return { body: { type: '0', url: '/debtors', primaryDescription: 'Debtors' } }
  const needed = Object.keys((operation.body as { properties?: object } | undefined)?.properties ?? {})
  const fitting =
    operation.example?.body ??
    Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => needed.includes(name)))
  // Does not wait for events.
  const patience = operation.name === 'listEvents' && { wait: 0 }
  return { ...params, ...operation.example?.query, ...patience, ...(operation.body && { body: fitting }) }
}

describe('every operation', () => {
  /** Operations that must succeed with their example. Others may also return one of their declared errors. */
  const succeeding = new Set(
    `listSignInWays requestPasswordReset getSession listSessions revokeOtherSessions getSystemInformation listAuditEntries
    listMessages listUsers createUser getUser updateUser getUserSummary getCurrentUser updateCurrentUser updateUserSettings
    getUserSettings describeItem listFavorites addFavorite listDebtors createDebtor getDebtor updateDebtor listAddresses
    createAddress getAddress updateAddress deleteAddress listExtraFields createExtraField getExtraField updateExtraField
    deleteExtraField`.split(/\s+/),
  )
  const order = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

  test('has a method that calls it', async () => {
    const known: Record<string, string> = await makeRecords()
    const walked = operations
      .filter(({ status }) => status !== 302)
      // Signing out and changing the second factor come last, because they end what the others need.
      .toSorted(
        (a, b) =>
          Number(a.name === 'logout') - Number(b.name === 'logout') ||
          order.indexOf(a.method) - order.indexOf(b.method),
      )
    // This call signs itself out.
    const walker = signedIn({
      tokens: { accessToken: await api.signIn(2), refreshToken: 'none', expiresAt: Date.now() + 60_000 },
    })
    const failed: string[] = []
    for (const operation of walked) {
      const input = inputFor(operation, known)
      const method = walker.withAnswer[operation.name as 'getDebtor'] as unknown as (
        given: object,
      ) => Promise<{ status: number }>
      try {
        const { status } = await method(input)
        if (status !== operation.status) failed.push(`${operation.name}: ${status}`)
      } catch (error) {
        assert.ok(error instanceof ApiProblem, `${operation.name}: ${String(error)}`)
        const declared = listProblemKinds(operation).includes(error.kind)
        if (!declared || succeeding.has(operation.name)) failed.push(`${operation.name}: ${error.message}`)
        assert.notEqual(error.kind, 'invalid', `${operation.name}: ${JSON.stringify(error.errors)}`)
      }
    }
    assert.deepEqual(failed, [])
    assert.ok(walked.length > 40)
  })

  test('that redirects a browser has a URL', () => {
    assert.equal(
      client.addressOf('startOidc', { returnTo: '/debtors?x=1' }),
      `${api.address}/api/v1/auth/oidc/start?returnTo=%2Fdebtors%3Fx%3D1`,
    )
  })
})

describe('an answer', () => {
  test('is typed, and has the entity tag for the next change', async () => {
    const { debtorGuid } = await client.createDebtor({ body: { fullName: 'Två Versioner' } })
    const { body, etag } = await client.withAnswer.getDebtor({ debtorGuid })
    const name: string | null = body.fullName
    assert.equal(name, 'Två Versioner')
    assert.match(etag!, /^"\d+"$/)
    await client.updateDebtor({ debtorGuid, body: { email: 'a@example.com' } }, { ifMatch: etag! })
    await assert.rejects(
      client.updateDebtor({ debtorGuid, body: { email: 'b@example.com' } }, { ifMatch: etag! }),
      (error) => error instanceof ApiProblem && error.kind === 'precondition-failed' && error.status === 412,
    )
  })

  test('of an error is a problem with its members', async () => {
    await assert.rejects(client.createDebtor({ body: { email: 'no name' } }), (error) => {
      assert.ok(error instanceof ApiProblem)
      assert.equal(error.kind, 'invalid')
      assert.ok(Object.keys(error.errors).length > 0)
      assert.ok(error.requestId.length > 10)
      assert.equal(error.message, `${error.problem.title}: ${error.detail}`)
      return true
    })
  })

  test('of something other than the service is a problem too', async () => {
    const { watched, faults } = watchedFetch()
    faults.push(new Response('<html>Bad gateway</html>', { status: 502, statusText: 'Bad Gateway' }))
    await assert.rejects(signedIn({ fetch: watched, retries: 0 }).listDebtors(), {
      name: 'ApiProblem',
      kind: 'internal',
      status: 502,
    })
    const page = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }
    faults.push(new Response('<html>Sign in to this network</html>', page))
    await assert.rejects(signedIn({ fetch: watched }).listDebtors(), { name: 'ApiProblem', kind: 'internal' })
  })

  test('is not requested without the parameters of its path', async () => {
    await assert.rejects(client.getDebtor({ debtorGuid: '' }), /debtorGuid is missing/)
    await assert.rejects(client.getDebtor({ debtorGuid: '..' }), /debtorGuid must not be/)
  })
})

describe('a list', () => {
  test('can be read page by page and row by row', async () => {
    const name = 'Sida'
    for (let number = 0; number < 5; number++)
      await client.createDebtor({ body: { fullName: `${name} ${number}` } })
    const query = { $filter: `startswith(fullName,'${name}')`, $orderby: 'fullName', $top: 2 }
    const sizes: number[] = []
    for await (const { value } of client.pages.listDebtors(query)) sizes.push(value.length)
    assert.deepEqual(sizes, [2, 2, 1])
    const names: (string | null)[] = []
    for await (const { fullName } of client.each.listDebtors({ ...query, $skip: 1 })) names.push(fullName)
    assert.deepEqual(
      names,
      [1, 2, 3, 4].map((number) => `${name} ${number}`),
    )
    for await (const row of client.each.listDebtors({ $filter: "fullName eq 'Nobody'" }))
      assert.fail(row.debtorGuid)
  })
})

const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } })

describe('another try', () => {
  test('has the same idempotency key, so that a change is made once', async () => {
    const { watched, requests, faults } = watchedFetch()
    // The first request arrives, but its answer is lost.
    const lost: typeof fetch = async (input, init) => {
      const answer = await watched(input, init)
      if (requests.length > 1) return answer
      throw new TypeError('connection reset')
    }
    faults.length = 0
    const { body, replayed } = await signedIn({ fetch: lost }).withAnswer.createDebtor({
      body: { fullName: 'En Gång' },
    })
    assert.equal(replayed, true)
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    assert.equal(keys.length, 2)
    assert.match(keys[0]!, /^[\da-f-]{36}$/)
    assert.equal(keys[0], keys[1])
    const { total } = await client.listDebtors({ $filter: "fullName eq 'En Gång'" })
    assert.equal(total, 1)
    assert.equal(body.fullName, 'En Gång')
  })

  test('happens when the service is busy, as often as allowed', async () => {
    const { watched, requests, faults } = watchedFetch()
    faults.push(busy(), busy())
    await signedIn({ fetch: watched }).updateUserSettings({
      context: 'console',
      group: 'x',
      body: { dense: true },
    })
    assert.equal(requests.length, 3)
    faults.push(busy(), busy())
    await assert.rejects(signedIn({ fetch: watched, retries: 1 }).listDebtors(), { status: 503 })
  })

  for (const status of [502, 503, 504]) {
    const gone = () => new Response('<html>Gateway</html>', { status, headers: { 'retry-after': '0' } })

    test(`happens after ${status} of a proxy, if the request is safe to repeat`, async () => {
      const { watched, requests, faults } = watchedFetch()
      const own = signedIn({ fetch: watched })
      faults.push(gone(), gone())
      await own.listDebtors()
      assert.equal(requests.length, 3)
      faults.push(gone())
      await own.createDebtor({ body: { lastname: 'Ek' } })
      const keys = requests.slice(3).map(({ headers }) => headers.get('idempotency-key'))
      assert.equal(keys.length, 2)
      assert.ok(keys[0] !== null && keys[0] === keys[1], String(keys))
      faults.push(gone(), gone(), gone())
      await assert.rejects(own.listDebtors(), { status })
    })
  }

  test('does not happen after 502 or 504 of a change that may have been made, nor after 500', async () => {
    const { watched, requests, faults } = watchedFetch()
    const own = signedIn({ fetch: watched })
    for (const status of [502, 504]) {
      faults.push(new Response('', { status }))
      await assert.rejects(own.updateCurrentUser({ body: { languageCode: 'sv' } }), { status })
    }
    faults.push(new Response('', { status: 500 }))
    await assert.rejects(own.listDebtors(), { status: 500 })
    assert.equal(requests.length, 3)
  })

  test('does not happen for a change that may have been made, nor after a refusal', async () => {
    const { watched, requests, faults } = watchedFetch()
    const lossy = signedIn({ fetch: watched })
    faults.push(new TypeError('connection reset'))
    await assert.rejects(lossy.updateCurrentUser({ body: { languageCode: 'sv' } }), ServiceUnreachable)
    await assert.rejects(lossy.getDebtor({ debtorGuid: nobody }), { kind: 'not-found' })
    assert.equal(requests.length, 2)
  })

  test('does not happen when the service asks for too long a wait', async () => {
    const { watched, requests, faults } = watchedFetch()
    faults.push(new Response('{}', { status: 429, headers: { 'retry-after': '3600' } }))
    await assert.rejects(signedIn({ fetch: watched }).listDebtors(), { status: 429, retryAfter: 3600 })
    assert.equal(requests.length, 1)
  })
})

/** A service that never answers. */
const silent: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const hold = setTimeout(() => {}, 60_000)
    init!.signal!.addEventListener('abort', () => {
      clearTimeout(hold)
      reject(init!.signal!.reason as Error)
    })
  })

describe('a cancelled call', () => {
  test('ends with its signal, also while it waits', async () => {
    await assert.rejects(client.listDebtors({}, { signal: AbortSignal.abort() }), { name: 'AbortError' })
    const { watched, faults } = watchedFetch()
    const controller = new AbortController()
    faults.push(new Response('{}', { status: 503, headers: { 'retry-after': '10' } }))
    const waiting = signedIn({ fetch: watched }).listDebtors({}, { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    await assert.rejects(waiting, { name: 'AbortError' })
  })

  test('ends with its signal, also while it signs in', async () => {
    const expired = { accessToken: 'old', refreshToken: 'r', expiresAt: 0 }
    const credentials = { clientId: 'c', clientSecret: 's' }
    for (const who of [{ tokens: expired }, { tokens: undefined, credentials }, { session: 'cookie' }]) {
      const own = signedIn({ fetch: silent, timeoutMs: 50, retries: 0, ...who })
      const controller = new AbortController()
      const waiting = own.createDebtor({ body: { lastname: 'Ek' } }, { signal: controller.signal })
      controller.abort()
      await assert.rejects(waiting, { name: 'AbortError' })
    }
  })

  test('ends when no answer arrives in time', async () => {
    await assert.rejects(
      signedIn({ fetch: silent, timeoutMs: 20, retries: 0 }).listDebtors(),
      ServiceUnreachable,
    )
  })
})

test('a file is sent unchanged, with its options in the URL', async () => {
  const body = new TextEncoder().encode('lastname\nEk\n')
  const sent = await client.uploadFile({ what: 'debtors', fileName: 'ä.csv', source: 'client', body })
  assert.deepEqual([sent.fileName, sent.bytes], ['ä.csv', body.length])
  const again = await client.uploadFile({ what: 'debtors', fileName: 'b.csv', body: new Blob([body]) })
  assert.deepEqual([again.source, again.bytes], ['import', body.length])
})

const refusedAs = (kind: string) => (error: unknown) => error instanceof ApiProblem && error.kind === kind

test('tries a write without making it', async () => {
  const { total } = await client.listDebtors()
  const tried = await client.dryRun.createDebtor({ body: { lastname: 'Provsson' } })
  assert.deepEqual([tried.status, tried.answer.fullName], [201, 'Provsson'])
  assert.deepEqual(
    tried.events.map(({ type }) => type),
    ['debtor.created'],
  )
  assert.equal((await client.listDebtors()).total, total)
  await assert.rejects(
    client.dryRun.updateDebtor({ debtorGuid: nobody, body: { lastname: 'Provsson' } }),
    refusedAs('not-found'),
  )
  await assert.rejects(client.dryRun.setLogLevel({ body: { logLevel: 1 } }), refusedAs('invalid'))
})
