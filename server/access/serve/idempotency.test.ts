/** Idempotency-Key: repeated POST requests. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApi, type CallOptions, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { untilWaiting } from '../../testing/waiting.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { answerOnce, deleteOldAnswers } from '../../platform/http/idempotency.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

let keys = 0
const newKey = () => `key-${++keys}`
const post = (key: string, body: unknown, options: CallOptions & { path?: string } = {}) =>
  api.call('POST', options.path ?? '/debtors', {
    body,
    ...options,
    headers: { 'idempotency-key': key, ...options.headers },
  })
const count = async (lastname: string) => {
  const [row] = await api.sql<{ rows: number }[]>`
    select count(*)::int as rows from debtor where lastname = ${lastname}`
  return row!.rows
}
const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotency-replayed')
const keyRows = (key: string) => api.sql`select * from idempotency_key where key = ${key}`

describe('the same key', () => {
  test('gives the first answer again, byte for byte, and creates nothing more', async () => {
    const key = newKey()
    const first = await post(key, { lastname: 'Twice' })
    const second = await post(key, { lastname: 'Twice' })
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(second.text, first.text)
    for (const name of ['etag', 'location', 'content-type']) {
      assert.equal(second.headers.get(name), first.headers.get(name), name)
    }
    assert.deepEqual([replayed(first), replayed(second)], [null, 'true'])
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'))
    assert.equal(await count('Twice'), 1)
  })

  test('gives it even after the record has changed', async () => {
    const key = newKey()
    const first = await post(key, { lastname: 'Before' })
    await api.call('PATCH', first.headers.get('location')!.replace('/api/v1', ''), {
      body: { lastname: 'After' },
    })
    assert.equal((await post(key, { lastname: 'Before' })).text, first.text)
  })

  test('with the members in another order is the same request', async () => {
    const key = newKey()
    const first = await post(key, { lastname: 'Order', firstname: 'A' })
    const second = await post(key, undefined, {
      raw: '{ "firstname": "A",\n "lastname": "Order" }',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(second.text, first.text)
    assert.equal(replayed(second), 'true')
  })

  test('with another body or path is refused', async () => {
    const key = newKey()
    const { headers } = await post(key, { lastname: 'First' })
    const path = `${headers.get('location')!.replace('/api/v1', '')}/extrafields`
    const refused = [
      await post(key, { lastname: 'Second' }),
      await post(key, { lastname: 'First', firstname: 'A' }),
      await post(key, { name: 'x', value: [] }, { path }),
    ]
    for (const answer of refused) assertProblem(answer, 'idempotency-mismatch', /Use a new key/)
    assert.equal(await count('Second'), 0)
    assert.equal((await post(key, { lastname: 'First' })).status, 201)
  })

  test('of another caller is another key', async () => {
    const [key, token] = [newKey(), await api.signIn(3)]
    const mine = await post(key, { lastname: 'Mine' })
    const theirs = await post(key, { lastname: 'Theirs' }, { token })
    assert.deepEqual([mine.status, theirs.status, replayed(theirs)], [201, 201, null])
  })

  test('of the same user in another session is the same key', async () => {
    const key = newKey()
    const first = await post(key, { lastname: 'Session' })
    const { startSession } = await import('../sessions/sessions.ts')
    const [user] = await api.sql<{ id: string }[]>`select id from app_user order by created_at limit 1`
    const { tokens } = await startSession(api.sql, user!.id)
    assert.equal((await post(key, { lastname: 'Session' }, { token: tokens.accessToken })).text, first.text)
  })

  test('sent 16 times concurrently creates one record', async () => {
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 16 }, () => post(key, { lastname: 'Parallel' })))
    const first = answers.filter((answer) => answer.status === 201 && replayed(answer) === null)
    assert.equal(first.length, 1)
    for (const answer of answers) {
      if (answer.status === 201) assert.equal(answer.text, first[0]!.text)
      else assertProblem(answer, 'idempotency-in-flight', /still running/)
      assert.equal(answer.headers.get('retry-after'), answer.status === 409 ? '1' : null)
    }
    assert.equal(await count('Parallel'), 1)
  })

  test('sent concurrently after the first answer gives that answer to all', async () => {
    const key = newKey()
    const first = await post(key, { lastname: 'Finished' })
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(key, { lastname: 'Finished' })))
      for (const answer of answers)
        assert.deepEqual([answer.status, replayed(answer), answer.text], [201, 'true', first.text])
    }
  })

  test('gives a secret once: it is neither stored nor replayed', async () => {
    const key = newKey()
    const body = { url: 'https://hooks.example/in', types: 'debtor.created' }
    const [first, second] = [
      await post(key, body, { path: '/system/forms/webhook/create' }),
      await post(key, body, { path: '/system/forms/webhook/create' }),
    ]
    assert.deepEqual([first.status, second.status, replayed(second)], [201, 201, 'true'])
    const { secret, ...made } = first.body as Record<string, string>
    assert.match(secret!, /^whsec_/)
    assert.deepEqual(second.body, { ...made, secret: '' })
    assert.ok(!JSON.stringify(await keyRows(key)).includes(secret!))
  })

  test('is refused at once while the first request is running', async () => {
    const [{ headers }, key] = [await post(newKey(), { lastname: 'Held' }), newKey()]
    const path = headers.get('location')!.replace('/api/v1', '')
    const field = { name: 'x', value: [] }
    await inTransaction(api.sql, async (tx) => {
      await tx`select from debtor where id = ${path.split('/').at(-1)!} for update`
      const first = post(key, field, { path: `${path}/extrafields` })
      await untilWaiting(api)
      assertProblem(
        await post(key, field, { path: `${path}/extrafields` }),
        'idempotency-in-flight',
        /again in a moment/,
      )
      return { first }
    }).then(async ({ first }) => assert.equal((await first).status, 201))
    assert.equal(replayed(await post(key, field, { path: `${path}/extrafields` })), 'true')
  })

  test('after 24 hours is a new key', async () => {
    const key = newKey()
    await post(key, { lastname: 'Old' })
    await api.sql`update idempotency_key set created_at = now() - interval '23 hours 59 minutes' where key = ${key}`
    assert.equal(replayed(await post(key, { lastname: 'Old' })), 'true')
    await api.sql`update idempotency_key set created_at = now() - interval '24 hours' where key = ${key}`
    const later = await post(key, { lastname: 'Other' })
    assert.deepEqual([later.status, replayed(later)], [201, null])
    assert.equal(replayed(await post(key, { lastname: 'Other' })), 'true')
  })

  test('is removed after it has expired', async () => {
    const [young, old] = [newKey(), newKey()]
    for (const key of [young, old]) await post(key, { lastname: 'Purged' })
    await api.sql`update idempotency_key set created_at = now() - interval '25 hours' where key = ${old}`
    await deleteOldAnswers(api.sql)
    assert.deepEqual([(await keyRows(young)).length, (await keyRows(old)).length], [1, 0])
  })
})

describe('a refusal', () => {
  const idNumber = '19900101-2385'
  test('by a conflict is given again, even when the cause is gone', async () => {
    const key = newKey()
    await post(newKey(), { lastname: 'Owner', idNumber })
    const first = await post(key, { lastname: 'Double', idNumber })
    assertProblem(first, 'conflict', /X-Allow-Duplicate/)
    await api.sql`update debtor set id_number = null where id_number is not null`
    const second = await post(key, { lastname: 'Double', idNumber })
    assert.deepEqual([second.status, second.text, replayed(second)], [409, first.text, 'true'])
    assert.match(second.headers.get('content-type')!, /^application\/problem\+json/)
    assert.equal((await post(newKey(), { lastname: 'Double', idNumber })).status, 201)
  })

  test('by a rule is given again', async () => {
    const key = newKey()
    const first = await post(key, { lastname: 'Wrong', idNumber: '19900101-2386' })
    assertProblem(first, 'invalid', /idNumber/)
    const second = await post(key, { lastname: 'Wrong', idNumber: '19900101-2386' })
    assert.deepEqual([second.text, replayed(second)], [first.text, 'true'])
  })

  test('before the request was understood or authorised uses no key', async () => {
    const key = newKey()
    assert.equal((await post(key, { lastname: 1 })).status, 400)
    assert.equal((await post(key, { lastname: 'X' }, { token: null })).status, 401)
    assert.equal((await post(key, { lastname: 'X' }, { token: await api.signIn(5) })).status, 403)
    assert.equal((await keyRows(key)).length, 0)
    assert.equal((await post(key, { lastname: 'X' })).status, 201)
  })
})

test('of an invalid key is a 400', async () => {
  for (const key of ['', 'with blank', 'x'.repeat(256), 'a, b', 'caf\u00e9']) {
    const answer = await post(key, { lastname: 'Nobody' })
    assertProblem(answer, 'invalid', /"Idempotency-Key":\["must have 1 to 255 visible ASCII/, key)
  }
  assert.equal(await count('Nobody'), 0)
  assert.equal((await post('x'.repeat(255), { lastname: 'Long' })).status, 201)
})

test('sign-in ignores the key, because its answer holds tokens', async () => {
  const key = newKey()
  await post(key, { login: 'nobody', password: 'nothing' }, { path: '/auth/login', token: null })
  assert.equal((await keyRows(key)).length, 0)
})

const noRefusal = () => assert.fail('this is no refusal')

test('a refused request that is repeated rapidly is processed once', async () => {
  const request = {
    callerId: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70',
    key: newKey(),
    method: 'POST',
    path: '/x',
    body: {},
  }
  let worked = 0
  const send = async (): Promise<string> => {
    for (;;) {
      try {
        const { answer } = await answerOnce(
          api.sql,
          request,
          async (tx) => {
            worked += 1
            await tx`insert into login_failure (key, failures, counted_since) values ('\\x01', 1, now())`
            throw new ApiError('conflict', 'No.')
          },
          () => ({ status: 409, headers: {}, body: 'no' }),
        )
        return answer.body
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
        if (error.kind === 'conflict') return 'no'
        assert.equal(error.kind, 'idempotency-in-flight')
      }
    }
  }
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 8 }, send))), new Set(['no']))
  assert.equal(worked, 1)
  assert.equal(
    (await api.sql`select from login_failure where key = '\\x01'`).length,
    0,
    'what it did is undone',
  )
})

describe('a crash', () => {
  const request = { callerId: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', method: 'POST', path: '/x', body: {} }

  test('in the middle leaves neither change nor key', async () => {
    const key = newKey()
    const work = answerOnce(
      api.sql,
      { ...request, key },
      async (tx) => {
        await tx`insert into party (id, reference_code, name) values (gen_random_uuid(), 'CRASH', 'x')`
        throw new Error('the power went')
      },
      noRefusal,
    )
    await assert.rejects(work, /the power went/)
    assert.equal((await keyRows(key)).length, 0)
    assert.equal((await api.sql`select from party where reference_code = 'CRASH'`).length, 0)
  })

  test('of the connection before the answer was stored leaves neither', async () => {
    const key = newKey()
    const work = answerOnce(
      api.sql,
      { ...request, key },
      async (tx) => {
        await tx`insert into party (id, reference_code, name) values (gen_random_uuid(), 'CRASH', 'x')`
        const [me] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        await api.sql`select pg_terminate_backend(${me!.pid})`
        return { status: 201, headers: {}, body: '{}' }
      },
      noRefusal,
    )
    await assert.rejects(work)
    assert.equal((await keyRows(key)).length, 0)
    assert.equal((await api.sql`select from party where reference_code = 'CRASH'`).length, 0)
  })
})

const makeUserBody = (email: string) => ({
  partyReferenceCode: 'AGENCY',
  email,
  fullName: 'Key',
  userRole: 5,
})
const readHash = async (key: string) => {
  const [row] = await keyRows(key)
  return (row!['request_hash'] as Buffer).toString('hex')
}

test('the stored hash of a request does not depend on its secrets', async () => {
  const password = 'en lång mening som är min'
  const [one, two] = [newKey(), newKey()]
  const made = await post(one, { ...makeUserBody('key@agency.example'), password }, { path: '/users' })
  assert.equal(made.status, 201, made.text)
  await api.sql`update app_user set email = 'former@agency.example' where email = 'key@agency.example'`
  const other = { ...makeUserBody('key@agency.example'), password: `${password} nu` }
  assert.equal((await post(two, other, { path: '/users' })).status, 201)
  assert.equal(await readHash(one), await readHash(two))
})
