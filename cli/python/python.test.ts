/** The Python client as users install it, with the Python of this machine: its guide, its types, and what it repeats. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { openApiDocument } from '../../contract/openapi/openapi.ts'
import type { CreatedUser } from '../../contract/access/users.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { snakeCase } from '../../client/python/python-types.ts'
import { makeWheel } from './wheel.ts'
import { writePythonWheel } from './write-wheel.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fordra-python-'))
const site = join(folder, 'site')
const isMissing = spawnSync('python3', ['--version']).status !== 0
const skip = isMissing ? 'There is no python3 on this machine.' : false

/** Warnings are errors. */
const runPython = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
  const options = { env: { ...process.env, PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1', ...env } }
  return (await promisify(execFile)('python3', ['-W', 'error', ...args], options)).stdout.trim()
}
async function runProgram(program: string, env: Record<string, string> = {}): Promise<string> {
  const file = join(folder, 'program.py')
  writeFileSync(file, program)
  return runPython([file], env)
}

before(async () => {
  if (!isMissing) await runPython(['-m', 'zipfile', '--extract', writePythonWheel(folder), site])
})
after(() => rmSync(folder, { recursive: true }))

describe('the Python client', { skip }, () => {
  let api: TestApi
  let credentials: Record<string, string>
  before(async () => {
    api = await startApi()
    await api.addParty('NORD')
    const made = await api.call<CreatedUser>('POST', '/users', {
      body: {
        fullName: 'Python',
        email: 'python@agency.example',
        userRole: 2,
        apiUser: true,
        partyReferenceCode: 'AGENCY',
      },
    })
    assert.equal(made.status, 201, made.text)
    const { clientId, clientSecret } = made.body
    credentials = {
      FORDRA_API_URL: api.address,
      FORDRA_CLIENT_ID: clientId!,
      FORDRA_CLIENT_SECRET: clientSecret!,
    }
  })
  after(() => api.close())

  test('compiles without a warning, and its types name each other', async () => {
    await runPython(['-m', 'compileall', '-q', '-f', site], { PYTHONDONTWRITEBYTECODE: '' })
    const checked = await runProgram(`
import inspect, typing
import fordra_client.client, fordra_client.types as types
checked = [typing.get_type_hints(one) for one in vars(types).values() if isinstance(one, type)]
methods = [one for one in vars(fordra_client.client.Client).values() if inspect.isfunction(one)]
checked += [typing.get_type_hints(one, vars(fordra_client.client)) for one in methods]
print(len(checked))`)
    assert.ok(Number(checked) > 700, checked)
  })

  test('has a method for every operation of the document', async () => {
    const { paths } = openApiDocument({ version: '1' })
    const names = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }: { operationId: string }) => snakeCase(operationId)),
    )
    assert.equal(new Set(names).size, names.length)
    const found = await runProgram('from fordra_client import Client\nprint(*dir(Client))')
    const methods = new Set(found.split(' '))
    assert.deepEqual(
      names.filter((name) => !methods.has(name)),
      [],
    )
    assert.ok(methods.has('register_payment') && methods.has('each_list_debtors'))
  })

  test('knows what each operation answers, beside its dry run', async () => {
    const said = await runProgram(`
import inspect
from fordra_client import Client
for name in ("create_debtor", "update_debtor", "get_report", "register_payment", "get_document"):
    print(inspect.signature(getattr(Client, name)).return_annotation)`)
    assert.deepEqual(said.split('\n'), [
      "'Debtor'",
      "'Problem'",
      "Union['Report', bytes]",
      "'RegisterPaymentResult'",
      'bytes',
    ])
  })

  test('does what its guide says', async () => {
    const guide = readFileSync(join(root, 'docs/guides/python.md'), 'utf8')
    const blocks = [...guide.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)
    assert.ok(blocks.length >= 5)
    const said = await runProgram(blocks.join('\n'), credentials)
    assert.match(
      said,
      /^python@agency\.example\n(would book \S+ -?[\d.]+\n)+changed meanwhile: .+\n\S+ Åsa Lindqvist\n404 not-found \S+\n/,
    )
    assert.match(said, /\nemail \[/)
    const [found] = await api.sql`select email, (select count(*)::int from debt_case) as cases,
      (select count(*)::int from payment) as payments from debtor`
    assert.deepEqual({ ...found }, { email: 'new@example.com', cases: 1, payments: 1 })
  })

  test('reads all pages, and a document as bytes', async () => {
    for (let count = 0; count < 5; count++)
      await api.call('POST', '/debtors', { body: { lastname: `Pagesson ${count}` } })
    const said = await runProgram(
      `
import os
from fordra_client import Client
api = Client(os.environ["FORDRA_API_URL"], client_id=os.environ["FORDRA_CLIENT_ID"], client_secret=os.environ["FORDRA_CLIENT_SECRET"])
names = [row["fullName"] for row in api.each_list_debtors(filter="startswith(fullName,'Pagesson')", orderby="fullName", top=2)]
print(names == ["Pagesson %d" % at for at in range(5)], api.last_answer.status)
print(type(api.get_report(report_name="aging", format="pdf")).__name__)`,
      credentials,
    )
    assert.deepEqual(said.split('\n'), ['True 200', 'bytes'])
  })

  test('tries a write without making it', async () => {
    const said = await runProgram(
      `
import os
from fordra_client import Client
from fordra_client.problems import NotFound
def connect():
    return Client(os.environ["FORDRA_API_URL"], client_id=os.environ["FORDRA_CLIENT_ID"], client_secret=os.environ["FORDRA_CLIENT_SECRET"])
api, other = connect(), connect()
trial = api.dry_run(api.create_debtor, body={"lastname": "Provsson"})
print(trial["status"], trial["answer"]["fullName"], [event["type"] for event in trial["events"]])
try:
    api.dry_run(api.update_debtor, debtor_guid="${crypto.randomUUID()}", body={"lastname": "Provsson"})
except NotFound as problem:
    print(problem.status)
for method in (api.list_debtors, api.each_list_debtors, other.create_debtor, lambda: api.create_debtor(body={"lastname": "Provsson"})):
    try:
        print(api.dry_run(method))
    except TypeError as error:
        print(error)
print(api.create_debtor(body={"lastname": "Provsson den andra"})["fullName"])`,
      credentials,
    )
    assert.deepEqual(said.split('\n'), [
      "201 Provsson ['debtor.created']",
      '404',
      '/debtors only reads, so it has no dry run.',
      'each_list_debtors changes nothing, so it has no dry run.',
      ...Array.from(
        { length: 2 },
        () => 'dry_run takes a method of this client: client.dry_run(client.create_debtor, body={…}).',
      ),
      'Provsson den andra',
    ])
    const rows = await api.sql<{ name: string }[]>`
      select full_name as name from debtor where full_name like 'Provsson%'`
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Provsson den andra'],
    )
  })

  test('renews tokens of a person once the service refuses them, and signs out', async () => {
    await api.addUser({ email: 'person@agency.example', password: 'a long enough password', userRole: 2 })
    const said = await runProgram(
      `
import dataclasses, os
from fordra_client import Client
from fordra_client.problems import LoginFailed, Unauthenticated
api = Client(os.environ["FORDRA_API_URL"])
try:
    api.login(body={"login": "person@agency.example", "password": "wrong"})
except LoginFailed as problem:
    print(problem.status)
api.login(body={"login": "person@agency.example", "password": "a long enough password"})
first = api._tokens
api._tokens = dataclasses.replace(first, ends_at=0)
print(api.get_current_user()["email"], api._tokens.refresh_token != first.refresh_token)
api._tokens = dataclasses.replace(api._tokens, access_token="ended")
print(api.get_current_user()["email"])
api.logout()
try:
    api.get_current_user()
except Unauthenticated as problem:
    print(problem.kind)`,
      credentials,
    )
    assert.deepEqual(said.split('\n'), [
      '401',
      'person@agency.example True',
      'person@agency.example',
      'unauthenticated',
    ])
  })
})

describe('a wheel', { skip }, () => {
  test('is read by Python, and is the same for the same content', async () => {
    const contents = {
      name: 'one',
      version: '1.0',
      summary: 'One.',
      license: 'MIT',
      readme: 'Ä',
      files: { 'one/å.py': 'x' },
    }
    const bytes = makeWheel(contents)
    assert.deepEqual(bytes, makeWheel(contents))
    const file = join(folder, 'one.whl')
    writeFileSync(file, bytes)
    assert.equal(await runPython(['-m', 'zipfile', '--test', file]), 'Done testing')
    const broken = Buffer.from(bytes)
    const local = 30 + Buffer.byteLength('one/å.py')
    broken[local] = broken[local]! ^ 0xff
    writeFileSync(file, broken)
    const said = await runPython(['-m', 'zipfile', '--test', file]).catch(String)
    assert.notEqual(said, 'Done testing')
  })
})

const refuse = (status: number) => (response: ServerResponse) => void response.writeHead(status).end('{}')
const hangUp = (response: ServerResponse) => void response.destroy()
const done = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"total":0,"value":[]}')
const redirect = (response: ServerResponse) => void response.writeHead(307, { location: '/elsewhere' }).end()

describe('what the Python client repeats', { skip }, () => {
  const seen: { key: string | undefined; method: string }[] = []
  const answers: ((response: ServerResponse, request: IncomingMessage) => void)[] = []
  const server = createServer((request, response) => {
    seen.push({ key: request.headers['idempotency-key'] as string | undefined, method: request.method! })
    request.resume().on('end', () => answers.shift()!(response, request))
  })
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const call = async (text: string, ...own: typeof answers) => {
    seen.length = 0
    answers.splice(0, answers.length, ...own)
    const program = `
from fordra_client import ApiProblem, Client, ServiceUnreachable
api = Client("http://127.0.0.1:${(server.address() as AddressInfo).port}", access_token="token")
try:
    ${text}
    print("done")
except (ApiProblem, ServiceUnreachable) as error:
    print(type(error).__name__)`
    return runProgram(program)
  }

  test('a GET without an answer, and a POST with the same key', async () => {
    assert.equal(await call('api.list_debtors()', hangUp, refuse(502), done), 'done')
    assert.equal(seen.length, 3)
    assert.equal(await call('api.create_debtor(body={"lastname": "Ek"})', hangUp, refuse(503), done), 'done')
    assert.equal(new Set(seen.map(({ key }) => key)).size, 1)
    assert.match(seen[0]!.key!, /^[0-9a-f-]{36}$/)
  })

  test('no change without a key, and nothing for ever', async () => {
    const update = 'api.update_debtor(debtor_guid="1", body={"domicile": "Lund"})'
    assert.equal(await call(update, hangUp, done), 'ServiceUnreachable')
    assert.equal(seen.length, 1)
    assert.equal(await call('api.list_debtors()', refuse(503), refuse(503), refuse(503), done), 'ApiProblem')
    assert.equal(seen.length, 3)
  })

  test('never at another address: a redirect is not followed', async () => {
    await call('api.list_debtors()', redirect, done)
    assert.equal(seen.length, 1)
  })

  test('and a part of an address cannot call another operation', async () => {
    await assert.rejects(call('api.get_debtor(debtor_guid="..")', done), /must not be '\.\.'/)
    assert.equal(seen.length, 0)
  })
})
