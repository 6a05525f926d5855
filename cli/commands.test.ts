/** The command line: help, completion, exit codes, and the commands that use the database. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { exportNames } from '../server/integration/exports/export-kinds.ts'
import { imports } from '../server/integration/imports/kinds/kinds.ts'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { openTestDatabase } from '../server/testing/database.ts'
import { createCompletion, shells } from './completion.ts'
import { runExport } from './commands/export.ts'
import { createProgram } from './program.ts'
import { exportable, importable } from './program-help.ts'
import { runFordra } from './testing/run-fordra.ts'
import { runHere } from './testing/run-here.ts'
import { runCreateUser, runResetPassword } from './commands/user.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-cli-'))
// Root's embedded database runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711)
after(() => rmSync(folder, { recursive: true, force: true }))

const run = (args: string[], env: Record<string, string> = {}, input = '') =>
  runFordra(args, { cwd: folder, env, input })
const here = (args: string[], env: Record<string, string> = {}, input = '') =>
  runHere(args, { cwd: folder, env, input })

const program = createProgram()
const all = (command: Command, path: string): { command: Command; path: string }[] =>
  command.commands.flatMap((one) => {
    const own = `${path} ${one.name()}`.trim()
    return [{ command: one, path: own }, ...all(one, own)]
  })
const commands = all(program, '')

describe('the help', () => {
  test('of every command says what it does, with an example', () => {
    const names = commands.map(({ path }) => path)
    for (const name of 'start import export demo user migrate verify backup restore restore-drill mcp completion'.split(
      ' ',
    ))
      assert.ok(names.includes(name), name)
    assert.ok(names.includes('service new') && names.includes('user reset-password'))
    for (const { command, path } of commands) {
      let text = ''
      command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
      assert.match(text, /Examples?:\n {2}\$ .*fordra /, path)
      assert.ok(command.description().length > 10, path)
    }
  })

  test('names what can be imported and exported', async () => {
    assert.deepEqual(exportable, [...exportNames, 'openapi', 'asyncapi', 'all'])
    const { err, code } = await run(['import', 'nothing', 'x.csv'])
    assert.equal(code, 1)
    for (const name of importable) assert.ok(err.includes(name))
  })

  test('names the commands for an unknown one, with exit code 1', async () => {
    const { err, code } = await run(['strat'])
    assert.equal(code, 1)
    assert.match(err, /unknown command 'strat'/)
    assert.match(err, /Did you mean start\?/)
  })
})

describe('completion', () => {
  for (const shell of shells) {
    test(`of ${shell} knows every command, and the installed shell accepts it`, () => {
      const script = createCompletion(program, shell, { import: importable })
      for (const { command } of commands) assert.ok(script.includes(command.name()), command.name())
      assert.ok(script.includes('parties') && /allow-writes/.test(script))
      const checked = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
      if (!checked.error) assert.equal(checked.status, 0, checked.stderr)
    })
  }

  test('of bash completes', () => {
    const script = createCompletion(program, 'bash', {})
    const words = 'COMP_WORDS=(fordra user res); COMP_CWORD=2; _fordra; echo "${COMPREPLY[@]}"'
    const { stdout } = spawnSync('bash', ['-c', `${script}\n${words}`], { encoding: 'utf8' })
    assert.equal(stdout.trim(), 'reset-password')
  })

  test('knows all that can be imported and exported', async () => {
    const script = (await here(['completion', 'bash'])).out
    for (const what of [...Object.keys(imports), 'payment-file', ...exportNames, 'openapi', 'asyncapi'])
      assert.match(script, new RegExp(`[ ']${what} `), what)
  })

  test('of another shell is refused', async () => {
    assert.match((await here(['completion', 'csh'])).err, /bash, zsh, fish/)
  })
})

describe('a start is refused', () => {
  test('for a misspelt setting, which is named with what was meant', async () => {
    const { code, err } = await run(['start'], { FORDRA_RATELIMIT: '5' })
    assert.equal(code, 1)
    assert.match(err, /FORDRA_RATELIMIT is not a setting\. Did you mean FORDRA_RATE_LIMIT\?/)
  })

  test('for a database newer than the program', async () => {
    const { sql, url, close } = await openTestDatabase()
    await sql`insert into schema_migration (number, name, checksum) values (999, 'of-tomorrow', 'x')`
    const { code, err } = await run(['start'], { DATABASE_URL: url })
    assert.equal(code, 1)
    assert.match(err, /newer than this program: it has migration 999-of-tomorrow/)
    await close()
  })
})

describe('on a database', () => {
  let api: TestApi
  const env = () => ({ DATABASE_URL: api.databaseUrl })
  /** In this process, which is much faster than a process per command. */
  const withDatabase = async (work: () => Promise<void>) => {
    process.env['DATABASE_URL'] = api.databaseUrl
    await work().finally(() => delete process.env['DATABASE_URL'])
  }
  const exportAs = (login: string, what: string) =>
    here(['export', what, '--format', 'ndjson', '--as', login], env())
  const login = (password: string) =>
    api.call('POST', '/auth/login', { token: null, body: { login: 'eva@agency.example', password } })
  before(async () => {
    api = await startApi()
    for (const lastname of ['=cmd', 'Ek', 'Å, "B"']) {
      const { status, text } = await api.call('POST', '/debtors', { body: { lastname } })
      assert.equal(status, 201, text)
    }
  })
  after(() => api.close())

  test('debtors are exported as CSV and NDJSON, by condition and order', async () => {
    const { out, code, err } = await run(['export', 'debtors', '--orderby', 'fullName'], env())
    assert.equal(code, 0, err)
    const rows = parse(out, { columns: true }) as Record<string, string>[]
    assert.deepEqual(rows.map(({ lastname }) => lastname).toSorted(), ["'=cmd", 'Ek', 'Å, "B"'].toSorted())
    const lines = await here(
      ['export', 'debtors', '--format', 'ndjson', '--filter', "fullName eq 'Ek'"],
      env(),
    )
    assert.equal((JSON.parse(lines.out) as { lastname: string }).lastname, 'Ek')
    const excel = await here(['export', 'debtors', '--excel', '--out', 'debtors.csv', '--json'], env())
    assert.equal((JSON.parse(excel.err.trim()) as { rows: number }).rows, 3)
    assert.match(readFileSync(join(folder, 'debtors.csv'), 'utf8'), /^\uFEFFdebtorGuid;/)
  })

  test('the OpenAPI document is exported', async () => {
    const { out } = await here(['export', 'openapi', '--url', 'https://agency.example'], env())
    const openapi = JSON.parse(out) as { servers: { url: string }[] }
    assert.equal(openapi.servers[0]!.url, 'https://agency.example/api/v1')
    const { code, err } = await here(['export', 'openapi', '--out', 'openapi.json'], env())
    assert.equal(code, 0, err)
    const written = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as typeof openapi
    assert.equal(written.servers[0]!.url, 'http://127.0.0.1:3000/api/v1')
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  test('the AsyncAPI document is exported', async () => {
    const { out, code } = await here(['export', 'asyncapi', '--url', 'https://agency.example'], env())
    assert.equal(code, 0)
    const { installation } = (JSON.parse(out) as { servers: Record<string, { host: string }> }).servers
    assert.equal(installation!.host, 'agency.example')
  })

  test("an export with a user's rights omits what they may not see or read", async () => {
    await api.addUser({ email: 'sees@agency.example', password: 'a long enough password', userRole: 3 })
    const partyId = await api.addParty('ELSEWHERE')
    await api.addUser({ email: 'creditor@agency.example', password: 'a long enough password', userRole: 6 })
    await api.sql`update app_user set party_id = ${partyId} where email = 'creditor@agency.example'`
    assert.equal((await exportAs('sees@agency.example', 'debtors')).out.trim().split('\n').length, 3)
    assert.equal((await exportAs('creditor@agency.example', 'debtors')).out, '')
    assert.match((await exportAs('sees@agency.example', 'users')).err, /needs the access code user\.read/)
    assert.match((await exportAs('nobody@agency.example', 'users')).err, /No user who may sign in/)
  })

  test('an invalid export says what is wrong and leaves no file', async () => {
    await withDatabase(async () => {
      const out = join(folder, 'wrong.csv')
      for (const [what, options, says] of [
        ['nothing', {}, /cannot be exported\. What can is clients/],
        ['debtors', { format: 'xml' }, /csv or ndjson/],
        ['debtors', { delimiter: 'x' }, /no delimiter of CSV/],
        ['debtors', { out, filter: 'fullNam eq 1' }, /fullNam/],
        ['debtors', { out: '/nowhere/x.csv' }, /ENOENT/],
      ] as const)
        await assert.rejects(runExport(what, options), says)
    })
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('wrong')))
  })

  test('users are created, listed, given a password, disabled and enabled again', async () => {
    const made = await run(['user', 'create', 'eva@agency.example', '--name', 'Eva Ek', '--json'], env())
    assert.equal(made.code, 0, made.err)
    const { password } = JSON.parse(made.out) as { password: string }
    assert.equal((await login(password)).status, 200)
    const reset = ['user', 'reset-password', 'eva@agency.example', '--password-stdin']
    const { out } = await here(reset, env(), 'another long password of Ek\n')
    assert.doesNotMatch(out, /another long/)
    assert.equal((await login('another long password of Ek')).status, 200)
    assert.equal((await here(['user', 'disable', 'eva@agency.example'], env())).code, 0)
    assert.equal((await login('another long password of Ek')).status, 401)
    const list = JSON.parse((await here(['user', 'list', '--json'], env())).out) as Record<string, unknown>[]
    const eva = list.find(({ email }) => email === 'eva@agency.example')
    assert.deepEqual([eva?.['disabled'], eva?.['userRole'], eva?.['fullName']], [true, 2, 'Eva Ek'])
    assert.match((await here(['user', 'list'], env())).out, /^eva@agency\.example\t2\tdisabled\tEva Ek$/m)
    assert.equal((await here(['user', 'enable', 'eva@agency.example'], env())).code, 0)
    assert.equal((await login('another long password of Ek')).status, 200)
  })

  test('an invalid user command says what is wrong', async () => {
    await withDatabase(async () => {
      for (const [email, options, says] of [
        ['eva@agency.example', {}, /belongs to another user/],
        ['x@agency.example', { role: '99' }, /no role\. The roles are: 1 Server/],
        ['x@agency.example', { party: 'NOWHERE' }, /partyReferenceCode/],
      ] as const)
        await assert.rejects(runCreateUser(email, options), says)
      await assert.rejects(runResetPassword('nobody@agency.example', {}), /No user has the login/)
    })
    const short = await here(['user', 'create', 'x@agency.example', '--password-stdin'], env(), 'short\n')
    assert.equal(short.code, 1)
    assert.match(short.err, /password/)
    const reset = ['user', 'reset-password', 'eva@agency.example', '--password-stdin']
    assert.match((await here(reset, env())).err, /Standard input is empty/)
  })

  test('verify and migrate report as JSON', async () => {
    const verified = await run(['verify', '--json'], env())
    assert.equal(verified.code, 0, verified.err)
    assert.equal((JSON.parse(verified.out) as { isRight: boolean }).isRight, true)
    const { out } = await here(['migrate', '--json'], env())
    assert.ok((JSON.parse(out) as { migration: number }).migration >= 13)
  })
})

describe('backup and restore', () => {
  test('verify, backup and export do not create a missing database', async () => {
    const nowhere = { FORDRA_DATA: join(folder, 'mistyped') }
    for (const command of [['verify'], ['backup', 'empty.tar'], ['export', 'debtors']]) {
      const { code, err } = await run(command, nowhere)
      assert.equal(code, 1)
      assert.match(err, /There is no database in \S+mistyped\. Name its folder by FORDRA_DATA/)
    }
    assert.equal(existsSync(nowhere.FORDRA_DATA), false)
  })

  test('of the embedded database: destroyed, and completely restored', async () => {
    const data = { FORDRA_DATA: join(folder, 'data') }
    writeFileSync(join(folder, 'three.csv'), 'sourceReference,lastname\n1,Ek\n2,Alm\n3,Lind\n')
    assert.equal((await run(['import', 'debtors', 'three.csv'], data)).code, 0)
    const made = await run(['backup', 'three.tar', '--json'], data)
    assert.equal(made.code, 0, made.err)
    assert.ok((JSON.parse(made.out) as { rows: number }).rows > 3)
    assert.match((await run(['restore', 'three.tar', '--check'])).out, /three\.tar is whole/)
    assert.match((await run(['restore', 'three.tar'], data)).err, /already holds users or debtors/)
    rmSync(join(folder, 'data'), { recursive: true })
    const restored = await run(['restore', 'three.tar', '--quiet', '--json'], data)
    assert.equal(restored.code, 0, restored.err)
    const { out } = await run(['export', 'debtors', '--orderby', 'fullName', '--format', 'ndjson'], data)
    const names = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { fullName: string }).fullName)
    assert.deepEqual(names, ['Alm', 'Ek', 'Lind'])
  })
})
