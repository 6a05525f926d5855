/** The service's log: enough for an operator, no personal data. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { toLogLevel } from './log.ts'
import { startProgram } from '../../testing/programs/logging-program.ts'

const secrets = {
  password: 'a very secret password',
  email: 'secret.person@example.com',
  idNumber: '19900101-2385',
  lastname: 'Secretsson',
  scraper: 'secret-of-the-scraper',
}

test('each request has a log line with operation, caller, address and duration, without data', async () => {
  const { password, email, idNumber, lastname, scraper } = secrets
  const program = await startProgram({
    FORDRA_LOG_LEVEL: '10',
    FORDRA_ADMIN_EMAIL: email,
    FORDRA_ADMIN_PASSWORD: password,
    FORDRA_METRICS_TOKEN: scraper,
  })
  const send = async (method: string, path: string, body?: unknown, token?: string) => {
    const response = await fetch(program.address + path, {
      method,
      headers: {
        'x-request-id': 'traced-request',
        cookie: 'session=secret-cookie',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  const { body: tokens } = await send('POST', '/api/v1/auth/login', { login: email, password })
  const token = tokens['accessToken']!
  await send('POST', '/api/v1/auth/login', { login: email, password: `wrong ${password}` })
  const made = await send('POST', '/api/v1/debtors', { lastname, idNumber, email }, token)
  assert.equal(made.status, 201)
  await send('POST', '/api/v1/debtors', { lastname, idNumber }, token)
  await send('POST', '/api/v1/debtors', `{"lastname":"${lastname}",}`, token)
  await send('GET', `/api/v1/debtors?$filter=fullName eq '${lastname}'`, undefined, token)
  await send('GET', `/api/v1/debtors/${lastname}`, undefined, token)
  await send('GET', `/api/v1/debtors/${made.body['debtorGuid']}/extrafields/${lastname}`, undefined, token)
  for (const [given, status] of [
    [scraper, 200],
    [`${scraper}-wrong`, 401],
  ] as const) {
    const figures = await fetch(`${program.address}/metrics`, {
      headers: { 'x-request-id': 'traced-request', authorization: `Bearer ${given}` },
    })
    assert.equal(figures.status, status)
    assert.doesNotMatch(await figures.text(), /scraper/)
  }
  // A server error, with a statement and its parameters.
  await program.sql`alter table debtor rename column lastname to renamed`
  const failed = await send(
    'PATCH',
    `/api/v1/debtors/${made.body['debtorGuid']}`,
    { firstname: lastname },
    token,
  )
  assert.equal(failed.status, 500)
  assert.doesNotMatch(JSON.stringify(failed.body), /column|renamed|lastname|SQL/)
  const [administrator] = await program.sql`select id from app_user where email = ${email}`
  const log = await program.stop()
  const lines = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const requests = lines.filter((line) => 'operation' in line)
  assert.deepEqual(
    requests.map(({ operation, status }) => [operation, status]),
    [
      ['login', 200],
      ['login', 401],
      ['createDebtor', 201],
      ['createDebtor', 409],
      ['createDebtor', 400],
      ['listDebtors', 200],
      ['getDebtor', 400],
      ['getExtraField', 404],
      ['other', 200],
      ['other', 401],
      ['updateDebtor', 500],
    ],
  )
  for (const line of requests) {
    const members = [
      'level',
      'time',
      'requestId',
      'operation',
      'method',
      'route',
      'status',
      'ms',
      'caller',
      'address',
    ]
    assert.deepEqual(Object.keys(line).toSorted(), members.toSorted())
    assert.equal(line['requestId'], 'traced-request')
    assert.equal(line['address'], '127.0.0.1')
  }
  const callers = (operation: string) =>
    requests.filter((line) => line['operation'] === operation).map(({ caller }) => caller)
  assert.deepEqual(callers('login'), [null, null])
  assert.deepEqual(new Set(callers('createDebtor')), new Set([administrator!['id']]))
  const failure = lines.find((line) => line['msg'] === 'request failed')!
  assert.equal(failure['requestId'], 'traced-request')
  assert.deepEqual((failure['error'] as Record<string, unknown>)['code'], '42703')
  const told = [
    ...Object.values(secrets),
    tokens['accessToken']!,
    tokens['refreshToken']!,
    'secret-cookie',
    '199001012385',
  ]
  for (const secret of told) assert.ok(!log.includes(secret), `the log holds ${secret}`)
})

test('a full disk of the database is logged and reported to callers, without its file names', async () => {
  const [email, password] = ['full.disk@example.com', secrets.password]
  const program = await startProgram({ FORDRA_ADMIN_EMAIL: email, FORDRA_ADMIN_PASSWORD: password })
  const send = async (path: string, body: object, headers = {}) => {
    const own = { 'content-type': 'application/json', ...headers }
    const response = await fetch(program.address + path, {
      method: 'POST',
      headers: own,
      body: JSON.stringify(body),
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    }
  }
  const { accessToken } = JSON.parse((await send('/api/v1/auth/login', { login: email, password })).text) as {
    accessToken: string
  }
  // PostgreSQL's message; a trigger simulates the full disk.
  await program.sql.unsafe(`
    create function fill_disk() returns trigger language plpgsql as $$ begin
      raise 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
    end $$;
    create trigger fill_disk before insert on debtor for each row execute function fill_disk()`)
  const refused = await send(
    '/api/v1/debtors',
    { lastname: secrets.lastname },
    { authorization: `Bearer ${accessToken}` },
  )
  assert.deepEqual([refused.status, refused.retryAfter], [503, '30'])
  assert.match(refused.text, /no space left\. Nothing was changed/)
  assert.doesNotMatch(refused.text, /base\/1|device/)
  const log = await program.stop()
  assert.match(log, /No space left on device/)
  assert.ok(!log.includes(secrets.lastname))
})

test('an upload that its client breaks off is no error', async () => {
  const [email, password] = ['uploader@example.com', secrets.password]
  const program = await startProgram({ FORDRA_ADMIN_EMAIL: email, FORDRA_ADMIN_PASSWORD: password })
  const login = await fetch(`${program.address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: email, password }),
  })
  const { accessToken } = (await login.json()) as { accessToken: string }
  const head = (line: string, type: string) =>
    `POST /api/v1${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`
  const { hostname, port } = new URL(program.address)
  for (const sent of [
    head('/system/files?what=debtors&fileName=a.csv', 'application/octet-stream'),
    head('/debtors', 'application/json'),
  ]) {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(sent)
    // Both requests are in the service's hands once a later one of another connection is answered.
    await fetch(`${program.address}/health/ready`)
    socket.destroy()
  }
  const log = await program.stop()
  assert.match(log, /"operation":"login"/)
  assert.doesNotMatch(log, /"level":"error"/)
})

test("the specification's log levels map to the logger's", () => {
  assert.deepEqual([0, 1, 2, 5, 6, 10].map(toLogLevel), ['error', 'info', 'debug', 'debug', 'trace', 'trace'])
})
