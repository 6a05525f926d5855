/** ETag and If-Match: protection against overwriting. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

/** Each versioned resource: how to create it, and two ways to change it. */
const kinds = [
  {
    name: 'a debtor (D2, D3, D4)',
    create: { path: '/debtors', body: { lastname: 'Berg' } },
    changes: [{ firstname: 'Eva' }, { middlename: 'Maria' }],
    deletable: false,
  },
  {
    name: 'an address (D9, D10, D11, D12)',
    create: { path: 'DEBTOR/addresses', body: { street: 'Storgatan', city: 'Lund' } },
    changes: [{ street: 'Lillgatan' }, { city: 'Malmö' }],
    deletable: true,
  },
  {
    name: 'an extra field (D21, D22, D23, D24)',
    create: { path: 'DEBTOR/extrafields', body: { name: 'employer', value: ['A'] } },
    changes: [{ value: ['B'] }, { name: 'Employer' }],
    deletable: true,
  },
] as const

const locationPath = (answer: Response<unknown>) => answer.headers.get('location')!.replace('/api/v1', '')

/** Creates one under a new debtor; returns its path and ETag. */
async function make({ create }: (typeof kinds)[number]): Promise<{ path: string; etag: string }> {
  const debtor = await api.call('POST', '/debtors', { body: { lastname: 'Berg' } })
  const path = create.path.replace('DEBTOR', locationPath(debtor))
  const made = await api.call('POST', path, { body: create.body })
  assert.equal(made.status, 201)
  return { path: locationPath(made), etag: made.headers.get('etag')! }
}

const send = (method: string, path: string, ifMatch: string | undefined, body?: object) =>
  api.call(method, path, {
    ...(body && { body }),
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  })

const readTag = async (path: string) => (await api.call('GET', path)).headers.get('etag')!

for (const kind of kinds) {
  describe(kind.name, () => {
    const [first, second] = kind.changes

    test('has the same strong ETag when created and when read', async () => {
      const { path, etag } = await make(kind)
      assert.match(etag, /^"[^"]+"$/)
      assert.equal(await readTag(path), etag)
    })

    test('has the ETag that its update returned', async () => {
      const { path, etag } = await make(kind)
      const updated = await send('PATCH', path, etag, first)
      assert.equal(updated.status, 200)
      assert.notEqual(updated.headers.get('etag'), etag)
      assert.equal(await readTag(path), updated.headers.get('etag'))
    })

    test('keeps its ETag when an update changes nothing', async () => {
      const { path, etag } = await make(kind)
      for (const body of [{}, { ...first }, { ...first }]) await send('PATCH', path, undefined, body)
      const changed = await readTag(path)
      assert.notEqual(changed, etag)
      const again = await send('PATCH', path, changed, first)
      assert.equal(again.headers.get('etag'), changed)
    })

    test('can be changed with its ETag, any ETag, or one of several', async () => {
      const { path } = await make(kind)
      for (const around of [(tag: string) => tag, () => '*', () => ' * ', (tag: string) => `"x", ${tag}`]) {
        const body = (await readTag(path)) === '"1"' ? first : second
        assert.equal((await send('PATCH', path, around(await readTag(path)), body)).status, 200)
      }
    })

    test('is not changed with an ETag that is old, weak, of another resource, or missing', async () => {
      const { path, etag } = await make(kind)
      await send('PATCH', path, etag, first)
      const now = await readTag(path)
      const untouched = (await api.call('GET', path)).text
      for (const ifMatch of [etag, `W/${now}`, '"999"', now.slice(1, -1), 'garbage', '', ',', `"x", "y"`]) {
        const methods = kind.deletable ? ['PATCH', 'DELETE'] : ['PATCH']
        for (const method of methods) {
          const refused = await send(method, path, ifMatch, method === 'PATCH' ? second : undefined)
          assertProblem(refused, 'precondition-failed', /its ETag is now .*Read it again/, ifMatch)
          assert.equal(refused.headers.get('etag'), now)
        }
      }
      assert.equal((await api.call('GET', path)).text, untouched)
    })

    test('changed twice concurrently with one ETag: one succeeds', async () => {
      const { path, etag } = await make(kind)
      const answers = await Promise.all([
        send('PATCH', path, etag, first),
        send('PATCH', path, etag, second),
        send('PATCH', path, etag, { ...first, ...second }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412])
    })

    test('changed twice concurrently without ETag: neither change is lost', async () => {
      const { path } = await make(kind)
      const answers = await Promise.all([
        send('PATCH', path, undefined, first),
        send('PATCH', path, undefined, second),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      const { body } = await api.call<Record<string, unknown>>('GET', path)
      for (const [name, value] of Object.entries({ ...first, ...second })) assert.deepEqual(body[name], value)
    })

    test('can be deleted only with its ETag', { skip: !kind.deletable }, async () => {
      const { path, etag } = await make(kind)
      const deleted = await send('DELETE', path, etag)
      assert.equal(deleted.status, 200)
      assertProblem(await send('DELETE', path, etag), 'not-found', /no such/)
      assertProblem(await send('PATCH', path, '*', first), 'not-found', /no such/)
    })
  })
}

test('a debtor changed 200 times concurrently on several nodes has every change', async () => {
  const nodes = [api, ...(await Promise.all(Array.from({ length: 6 }, () => api.startNode())))]
  const { path } = await make(kinds[0])
  const names = [
    'firstname',
    'middlename',
    'nameSuffix',
    'domicile',
    'placeOfBirth',
    'municipalCode',
  ] as const
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      nodes[number % nodes.length]!.call('PATCH', path, {
        body: { [names[number % names.length]!]: `N${number}` },
      }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { body } = await api.call<Record<string, string>>('GET', path)
  for (const name of names) assert.match(body[name]!, /^N\d+$/)
  assert.equal(await readTag(path), '"201"')
  for (const node of nodes.slice(1)) await node.close()
})

test('lists have no ETag', async () => {
  for (const path of ['/debtors', '/system/information']) {
    assert.equal((await api.call('GET', path)).headers.get('etag'), null)
  }
})
