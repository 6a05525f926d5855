/** The package as users install it: in an empty project, without this repository. */
// Own process: vite sets NODE_ENV for its build.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { operationTable } from './operation-table.ts'

const root = join(import.meta.dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'fordra-project-'))
let api: TestApi

/** Runs a command in another process while this one can serve requests. */
const run = async (command: string, args: string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd })).stdout.trim()

/** Fails with what the compiler says. */
const compile = (...files: string[]) => {
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--types', '']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, ...options, '--allowImportingTsExtensions', ...files]
  return run(process.execPath, args, project).catch((error: { stdout?: string }) =>
    assert.fail(error.stdout ?? String(error)),
  )
}

describe('the package', () => {
  before(async () => {
    api = await startApi()
    const packed = await run(process.execPath, ['bin/pack-client.mjs', project], root)
    writeFileSync(join(project, 'package.json'), '{"name":"empty","type":"module","private":true}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], project)
  })
  after(async () => {
    await api.close()
    rmSync(project, { recursive: true })
  })

  test('installs without anything else and calls the service', async () => {
    const modules = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
    assert.deepEqual(modules, ['fordra-client'])
    const program = `
      import { createClient, ApiProblem } from 'fordra-client'
      const tokens = { accessToken: '${api.token}', refreshToken: '', expiresAt: Date.now() + 60000 }
      const api = createClient({ baseUrl: '${api.address}', tokens })
      const { total } = await api.listDebtors()
      const refused = await api.getDebtor({ debtorGuid: 'no' }).catch((error) => error instanceof ApiProblem && error.kind)
      console.log(total, refused)`
    writeFileSync(join(project, 'call.js'), program)
    assert.equal(await run(process.execPath, ['call.js'], project), '0 invalid')
  })

  test('is for programs of CommonJS too', async () => {
    const program = `
      const { createClient, ApiProblem } = require('fordra-client')
      const tokens = { accessToken: '${api.token}', refreshToken: '', expiresAt: Date.now() + 60000 }
      const api = createClient({ baseUrl: '${api.address}', tokens })
      api.getDebtor({ debtorGuid: 'no' }).catch((error) => console.log(error instanceof ApiProblem, error.kind))`
    writeFileSync(join(project, 'call.cjs'), program)
    // As Node 20 before 20.19, which cannot require a module.
    const said = await run(process.execPath, ['--no-experimental-require-module', 'call.cjs'], project)
    assert.equal(said, 'true invalid')
  })

  test('has types for both module systems', async () => {
    const program = `
      import { createClient } from 'fordra-client'
      const api = createClient({ baseUrl: 'http://localhost' })
      export const name: string | null = (await api.getDebtor({ debtorGuid: '' })).fullName
      // @ts-expect-error -- a member that is not there
      await api.createDebtor({ body: { fulName: 'x' } })
      // @ts-expect-error -- an address that is not given
      await api.getDebtor()
      for (const { type } of (await api.listEvents({ types: 'debtor.*,case.closed' })).value)
        if (type === 'case.closed' || type === 'of.tomorrow') console.log(type)
      const tried = await api.dryRun.createDebtor({ body: { lastname: 'Ek' } })
      export const wouldBe: string | null = tried.answer.fullName
      tried.money.map(({ amount, currencyCode }) => console.log(amount satisfies number | null, currencyCode))
      // @ts-expect-error -- what only reads
      await api.dryRun.getDebtor({ debtorGuid: '' })
      // @ts-expect-error -- a type of event that there is not
      await api.listEvents({ types: 'debtor.opened' })
      // @ts-expect-error -- a list of numbers
      for await (const row of api.each.listDebtors()) row.fullName satisfies number`
    writeFileSync(join(project, 'typed.ts'), program)
    const older = `
      import { createClient } from 'fordra-client'
      import type { Debtor } from 'fordra-client/types'
      export const find = (debtorGuid: string): Promise<Debtor> => createClient().getDebtor({ debtorGuid })
      // @ts-expect-error -- a field that is not there
      export const pay = () => createClient().registerPayment({ body: { caseGuid: '', amuont: 1 } })`
    writeFileSync(join(project, 'older.cts'), older)
    await compile('typed.ts', 'older.cts')
  })

  test('compiles and runs the programs of its guide, one after the other', async () => {
    const guide = readFileSync(join(root, 'docs/guides/typescript.md'), 'utf8')
    const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)
    assert.ok(blocks.length >= 10)
    const declared = 'declare const process: { env: Record<string, string | undefined> }\n'
    writeFileSync(join(project, 'guide.ts'), declared + blocks.join(''))
    await compile('guide.ts')
    await api.addParty('NORD')
    await api.setDate('2026-06-15')
    const program = {
      partyReferenceCode: 'AGENCY',
      email: 'program@agency.example',
      fullName: 'Program',
      userRole: 2,
      apiUser: true,
    }
    const { body: user } = await api.call<{ clientId: string; clientSecret: string }>('POST', '/users', {
      body: program,
    })
    const env = {
      ...process.env,
      FORDRA_API_URL: api.address,
      FORDRA_CLIENT_ID: user.clientId,
      FORDRA_CLIENT_SECRET: user.clientSecret,
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['guide.ts'], { cwd: project, env })
    assert.match(
      stdout,
      /signed in as program@agency.example[\s\S]*changed meanwhile: [\s\S]*remaining 1\d{3}/,
    )
    assert.match(
      stdout,
      /would book [\s\S]*first payment [\s\S]*Åsa Lindqvist[\s\S]*payment.registered[\s\S]*email \[/,
    )
  })

  test('has the operations, lists, writes and problems of the contract', async () => {
    const program = `
      import type * as own from '${root}/client/operations.ts'
      import type * as packed from 'fordra-client/types'
      type None<T extends never> = T
      type Missing<A, B> = Exclude<A, B> | Exclude<B, A>
      export type Names = None<Missing<keyof own.Methods, keyof packed.Methods>>
      export type Lists = None<Missing<own.ListName, packed.ListName>>
      export type Writes = None<Missing<own.WriteName, packed.WriteName>>
      export type Kinds = None<Missing<own.ProblemKind, packed.ProblemKind>>
      export type Redirects = None<Missing<keyof own.RedirectInputs, keyof packed.RedirectInputs>>
      // @ts-expect-error -- a difference is found
      export type Planted = None<Missing<keyof own.Methods, 'getDebtor'>>`
    writeFileSync(join(project, 'same.ts'), program)
    await compile('same.ts')
  })

  test('answers and takes what the contract says, of every operation', async () => {
    // The compiler does not know the fields of client records, and packed files may be a Blob too.
    const looseAnswers = [
      'createAccount',
      'createCustomer',
      'createObject',
      'createPurchase',
      'createThirdParty',
    ]
    const looseInputs = ['checkPaymentFile', 'holdPaymentFile', 'uploadPaymentFile']
    const names = Object.keys(operationTable)
    const without = (loose: readonly string[]) => names.filter((name) => !loose.includes(name))
    assert.ok(names.length > 400)
    const program = [
      `import type * as own from '${root}/client/operations.ts'`,
      `import type * as packed from 'fordra-client/types'`,
      'type Method<M, N> = N extends keyof M ? M[N] : never',
      'type Answer<M, N> = Method<M, N> extends (...given: never[]) => Promise<infer R> ? R : never',
      'type Input<M, N> = Method<M, N> extends (...given: infer I) => unknown ? I[0] : never',
      ...without(looseAnswers).map(
        (name) =>
          `export const answer_${name} = (given: Answer<packed.Methods, '${name}'>): Answer<own.Methods, '${name}'> => given`,
      ),
      ...without(looseInputs).map(
        (name) =>
          `export const input_${name} = (given: Input<packed.Methods, '${name}'>): Input<own.Methods, '${name}'> => given`,
      ),
      '// @ts-expect-error -- a difference is found',
      `export const planted = (given: Answer<packed.Methods, 'getDebtor'>): { fullName: number } => given`,
    ]
    writeFileSync(join(project, 'structure.ts'), program.join('\n'))
    await compile('structure.ts')
  })

  test('has declarations that TypeScript 5.0 can read', () => {
    const folder = join(project, 'node_modules/fordra-client')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    )
    assert.ok(files.length >= 10)
    const all = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    assert.match(all, /\bUint8Array\b/)
    assert.doesNotMatch(all, /typebox|from '[^']*contract/)
    assert.doesNotMatch(all, /Uint8Array<|from '[^']*\.ts'/)
  })

  test('is small in a page: under 15 kB compressed', async () => {
    writeFileSync(
      join(project, 'page.js'),
      `import { createClient } from 'fordra-client'; globalThis.api = createClient()`,
    )
    const output = { write: false, lib: { entry: 'page.js', formats: ['es' as const] } }
    const built = await build({ root: project, configFile: false, logLevel: 'silent', build: output })
    const [bundle] = [built].flat() as { output: { code: string }[] }[]
    const code = bundle!.output[0]!.code
    assert.doesNotMatch(code, /typebox/i)
    const size = gzipSync(code).length
    assert.ok(size < 15_000 && size > 1_000, `${size} bytes`)
  })

  test('includes its licence', () => {
    const folder = join(project, 'node_modules/fordra-client')
    assert.match(readFileSync(join(folder, 'LICENSE'), 'utf8'), /Apache License/)
    assert.match(readFileSync(join(folder, 'README.md'), 'utf8'), /createClient/)
  })
})
