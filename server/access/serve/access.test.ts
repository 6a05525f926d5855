/** Access: every operation for every role, and the debtors that creditors see. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  roleAccessCodes,
  allAccessCodes,
  creditorRoles,
  userRoles,
  type UserRole,
  allUserRoles,
} from '../../../contract/access/access.ts'
import { operations } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

const roles = allUserRoles
const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
const examplePath = ({ path }: Operation) => path.replace(/:\w+uid/gi, nowhere).replace(/:\w+/g, 'x')
const send = ({ method, body, ...operation }: Operation, token: string | null) =>
  api.call(method, examplePath({ method, ...operation }), { token, ...(body && { body: {} }) })

let api: TestApi
const tokens = new Map<UserRole, string>()
before(async () => {
  api = await startApi()
  for (const role of roles) tokens.set(role, await api.signIn(role))
})
after(() => api.close())

/** Contract section 6 for the operations that exist, written by hand rather than read from the tested table. */
const expected: Record<string, { allowed: UserRole[]; ids: string[] }> = {
  'reading debtors and system information': {
    allowed: roles,
    ids: ['D1', 'D3', 'D8', 'D10', 'D20', 'D22', 'S10'],
  },
  'writing debtors': { allowed: [1, 2, 3], ids: ['D2', 'D4'] },
  'writing addresses and extra fields': {
    allowed: [1, 2, 3, 14],
    ids: ['D9', 'D11', 'D12', 'D21', 'D23', 'D24'],
  },
}

describe('each role', () => {
  for (const [what, { allowed, ids }] of Object.entries(expected)) {
    for (const operation of operations.filter(({ id }) => ids.includes(id))) {
      test(`${what}: ${operation.id}`, async () => {
        for (const role of roles) {
          const answer = await send(operation, tokens.get(role)!)
          const about = `${operation.id} as ${role} ${userRoles[role]}`
          if (allowed.includes(role)) assert.ok(![401, 403].includes(answer.status), about)
          else assertProblem(answer, 'forbidden', /access code [a-z]+\.[a-z]+/, about)
        }
      })
    }
  }

  test('may call exactly the operations of the access code table', async () => {
    for (const operation of operations) {
      const { access, roles: admitted, unrestricted } = operation as Operation
      if (access === 'public' || access === 'session') continue
      for (const role of roles) {
        const isAdmitted: boolean =
          access.some((code) => roleAccessCodes[role].includes(code)) || admitted?.includes(role) === true
        const may: boolean = isAdmitted && !(unrestricted === true && creditorRoles.includes(role))
        const answer = await send(operation, tokens.get(role)!)
        assert.equal(answer.status === 403, !may, `${operation.id} as ${role}`)
      }
    }
  })
})

describe('without a session', () => {
  const guarded = operations.filter(({ access }) => access !== 'public')
  for (const operation of guarded) {
    test(`${operation.id} is refused`, async () => {
      const wrong = [null, '', 'x', 'x'.repeat(43), 'x'.repeat(10_000)]
      for (const token of wrong) {
        const answer = await send(operation, token)
        assertProblem(answer, 'unauthenticated', /auth\/login|Sign in again/)
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      }
    })
  }

  test('no other authentication scheme is accepted', async () => {
    for (const authorization of [
      api.token,
      `Basic ${api.token}`,
      `Token ${api.token}`,
      `Bearer${api.token}`,
    ]) {
      const answer = await api.call('GET', '/debtors', { token: null, headers: { authorization } })
      assertProblem(answer, 'unauthenticated', /Sign in again/)
    }
    const lower = await api.call('GET', '/debtors', {
      token: null,
      headers: { authorization: `bearer ${api.token}` },
    })
    assert.equal(lower.status, 200)
  })
})

/** The operations needed before signing in, and no others. */
const openToAll = [
  'login',
  'signInWithCode',
  'signInWithPasskey',
  'refresh',
  'requestPasswordReset',
  'resetPassword',
  'acceptInvitation',
  'requestToken',
  'registerAssistant',
  'listSignInWays',
  'startOidc',
  'finishOidc',
]

test('every operation declares its callers, by existing access codes', () => {
  for (const { id, access } of operations) {
    assert.ok(access !== undefined, `${id} has no access`)
    if (access === 'public') assert.ok(openToAll.includes(id), `${id} is open to everyone`)
    else if (access !== 'session') {
      assert.ok(access.length > 0, `${id} is open to nobody`)
      for (const code of access) assert.ok(allAccessCodes.includes(code), `${id}: ${code}`)
    }
  }
})

test('every route is an operation of the contract, /metrics, OData, SCIM, assistants, or known to be public', async () => {
  const known = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  const open = [
    '/',
    '/health/*',
    '/api/v1/openapi.json',
    '/api/v1/asyncapi.json',
    '/api/v1/reference',
    '/.well-known/*',
    '/oauth2/authorize',
    '/docs*',
    '/problems*',
    '/reference*',
    '/pages/*',
    '/assets/*',
  ]
  const isOpen = (path: string) =>
    open.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one))
  const routes = api.app.http.printRoutes({ commonPrefix: false, includeHooks: false })
  assert.match(routes, /debtors/)
  // They check access themselves: metrics.test.ts, odata.test.ts, scim-access.test.ts and assistant-access.test.ts.
  const checked = /^\/(odata|scim\/v2|mcp)(\/|$)/
  const unknown = parseRoutes(routes).filter(
    ({ method, path }) =>
      !known.has(`${method} ${path.replace('/api/v1', '')}`) && !isOpen(path) && !checked.test(path),
  )
  assert.deepEqual(unknown, [{ method: 'GET', path: '/metrics' }])
})

/** Reads Fastify's route tree: one line per part, four more characters of indent per level. */
function parseRoutes(tree: string): { method: string; path: string }[] {
  const parts: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (indent === undefined || part === undefined) return []
    parts.splice(indent.length / 4)
    parts.push(part)
    const path = parts.join('')
    return (methods ?? '')
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => ({ method, path }))
  })
}

/** Creditors cannot create debtors yet, so the agency creates one and gives it to the party. */
async function makeDebtor(lastname: string, createdBy: string): Promise<string> {
  const { body } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname, city: 'Lund' },
  })
  await api.call('POST', `/debtors/${body.debtorGuid}/extrafields`, { body: { name: 'x', value: ['1'] } })
  await api.sql`update debtor set created_by_party_id = ${createdBy} where id = ${body.debtorGuid}`
  return body.debtorGuid
}

interface List {
  count: number
  total: number
  value: { fullName: string; addressGuid: string }[]
}

const without = ({ instance: _path, traceId: _id, ...rest }: Record<string, unknown>) => rest

describe('a creditor', () => {
  const creditors: UserRole[] = [6, 7, 8, 9, 10, 11, 12, 13]
  let own: string
  let foreign: string
  let party: string
  before(async () => {
    party = await api.addParty('CLIENT-A')
    const other = await api.addParty('CLIENT-B')
    own = await makeDebtor('Own', party)
    foreign = await makeDebtor('Foreign', other)
  })

  for (const role of creditors) {
    test(`as ${userRoles[role]} sees and counts only the debtors of its own party`, async () => {
      const token = await api.signIn(role, party)
      const filters = [
        '',
        "?$filter=city eq 'Lund'",
        '?$orderby=fullName desc',
        "?$filter=contains(fullName,'n')",
      ]
      for (const query of filters) {
        const { body } = await api.call<List>('GET', `/debtors${query}`, { token })
        assert.deepEqual([body.total, body.value.map(({ fullName }) => fullName)], [1, ['Own']], query)
      }
      const none = await api.call<List>('GET', '/debtors?$top=0', { token })
      assert.deepEqual([none.body.count, none.body.total], [0, 1])
      const foreigner = await api.call<List>('GET', "/debtors?$filter=fullName eq 'Foreign'", { token })
      assert.equal(foreigner.body.total, 0)
    })
  }

  test('gets the same answer for a foreign debtor as for a missing one', async () => {
    const token = await api.signIn(9, party)
    const addresses = await api.call<List>('GET', `/debtors/${foreign}/addresses`)
    const paths = [
      '',
      '/addresses',
      `/addresses/${addresses.body.value[0]!.addressGuid}`,
      '/extrafields',
      '/extrafields/x',
    ]
    for (const path of paths) {
      assert.equal((await api.call('GET', `/debtors/${foreign}${path}`)).status, 200)
      const hidden = await api.call('GET', `/debtors/${foreign}${path}`, { token })
      assertProblem(hidden, 'not-found', /no such debtor/, path)
      const none = await api.call('GET', `/debtors/${nowhere}${path}`, { token })
      assert.deepEqual(without(hidden.body), without(none.body), path)
    }
    for (const path of ['', '/addresses', '/extrafields', '/extrafields/x']) {
      assert.equal((await api.call('GET', `/debtors/${own}${path}`, { token })).status, 200, path)
    }
  })

  test('without write access gets 403 before it learns anything', async () => {
    const token = await api.signIn(6, party)
    for (const guid of [own, foreign, nowhere]) {
      const answer = await api.call('PATCH', `/debtors/${guid}`, { token, body: { firstname: 'X' } })
      assertProblem(answer, 'forbidden', /debtor\.write/)
    }
  })

  test('sees debtors moved to its party at once, and loses those moved away', async () => {
    const token = await api.signIn(9, await api.addParty('CLIENT-C'))
    const list = async () =>
      (await api.call<List>('GET', "/debtors?$filter=city eq 'Lund'", { token })).body.total
    assert.equal(await list(), 0)
    const [row] = await api.sql<{ id: string }[]>`select id from party where reference_code = 'CLIENT-C'`
    const guid = await makeDebtor('New', row!.id)
    assert.equal((await api.call('GET', `/debtors/${guid}`, { token })).status, 200)
    assert.equal(await list(), 1)
  })
})
