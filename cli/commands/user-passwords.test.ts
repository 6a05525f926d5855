/** The command line and the import refuse a password of the agency's own name, as the API does. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { runHere } from '../testing/run-here.ts'

const named = 'Nordisk Inkasso Malmö AB'
const good = 'en lång mening som är min'
let api: TestApi
let folder: string
before(async () => {
  api = await startApi()
  await api.sql`update party set name = ${named} where parent_id is null`
  folder = await mkdtemp(join(tmpdir(), 'fordra-passwords-'))
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const run = (args: string[], input = '') =>
  runHere(args, {
    cwd: folder,
    env: { DATABASE_URL: api.databaseUrl, FORDRA_RATE_LIMIT: '0' },
    input,
  })

test('fordra user create and reset-password refuse it', async () => {
  const create = (password: string) =>
    run(['user', 'create', 'eva@a.example', '--password-stdin'], `${password}\n`)
  const refused = await create(named)
  assert.notEqual(refused.code, 0)
  assert.match(refused.err, /must not be the e-mail.*the agency/)
  const made = await create(good)
  assert.equal(made.code, 0, made.err)
  const reset = await run(['user', 'reset-password', 'eva@a.example', '--password-stdin'], `${named}\n`)
  assert.notEqual(reset.code, 0)
  assert.match(reset.err, /must not be the e-mail.*the agency/)
})

const row = (name: string, password: string) => `${name}@a.example,Ek,AGENCY,3,${password}\n`
test('fordra import users rejects its row', async () => {
  const file = join(folder, 'users.csv')
  await writeFile(
    file,
    `email,fullName,partyReferenceCode,userRole,password\n${row('bo', named)}${row('bea', good)}`,
  )
  await run(['import', 'users', file])
  const users = await api.sql<{ email: string }[]>`
    select email from app_user where email in ('bo@a.example', 'bea@a.example')`
  assert.deepEqual(
    users.map(({ email }) => email),
    ['bea@a.example'],
  )
})
