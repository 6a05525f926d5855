#!/usr/bin/env node
// Checks the OpenAPI document with the linters and generators of others: node bin/check-openapi.mjs FOLDER
// FOLDER is where they are installed. They are 300 packages that nothing here needs, so nothing here installs them.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { ensureDependencies, fail, findNode, report, root } from './bootstrap.mjs'

const packages = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
  '@hey-api/openapi-ts@0.99.0',
  'typescript@5.9.3',
]
const programs = ['redocly', 'spectral', 'openapi-typescript', 'openapi-ts', 'tsc']

const ownFields = [
  ['debtor', { riskClass: { type: 'string', maxLength: 10 }, paidTwice: { type: ['boolean', 'null'] } }],
  ['case', { riskClass: { type: ['integer', 'null'] } }],
]
const input = { type: 'object', required: ['limit'], properties: { limit: { type: 'integer' } } }
const ownServices = [
  { code: 'credit-check', scope: 'debtor', description: 'Checks.', access: 'debtor.write', input },
]
const use = `import type { paths } from './paths.d.ts'
import { getDebtor, listDebtors } from './client/index'
type Debtor = paths['/debtors/{debtorGuid}']['get']['responses'][200]['content']['application/json']
export const nameOf = (debtor: Debtor): string | null => debtor.fullName
export const read = async () => (await getDebtor({ path: { debtorGuid: 'x' } })).data?.fullName satisfies string | null | undefined
export const list = async () => (await listDebtors({ query: { $top: 3 } })).data?.value[0]?.city
// @ts-expect-error -- a path without its parameter
export const wrong = () => getDebtor({})
`

const folder = resolve(process.argv[2] ?? 'openapi-tools')
const tools = join(folder, 'node_modules', '.bin')
const missing = programs.filter((name) => !fs.existsSync(join(tools, name)))
if (missing.length > 0) {
  fail(
    `${missing.join(', ')} not found in ${folder}. Install them there, outside this repository:\n` +
      `  npm install --prefix FOLDER --ignore-scripts ${packages.join(' ')}\n` +
      'and run: npm run check:openapi -- FOLDER',
  )
}
await ensureDependencies({ development: true })
const node = findNode()
const work = fs.mkdtempSync(join(tmpdir(), 'fordra-openapi-'))
const failed = []
try {
  for (const kind of ['shipped', 'own']) checkDocument(kind)
} finally {
  fs.rmSync(work, { recursive: true, force: true })
}
if (failed.length > 0) fail(`Failed: ${failed.join(', ')}`)
report('The linters and generators are content.')

function checkDocument(kind) {
  const file = join(work, `${kind}.json`)
  writeDocument(kind, file)
  fs.writeFileSync(join(work, 'spectral.json'), '{"extends":["spectral:oas"]}')
  run(`${kind}: redocly`, 'redocly', ['lint', file, '--extends=recommended'])
  run(`${kind}: spectral`, 'spectral', [
    'lint',
    file,
    '-r',
    join(work, 'spectral.json'),
    '--fail-severity=error',
  ])
  run(`${kind}: openapi-typescript`, 'openapi-typescript', [file, '-o', join(work, 'paths.d.ts')])
  run(`${kind}: openapi-ts`, 'openapi-ts', [
    '-i',
    file,
    '-o',
    join(work, 'client'),
    '-c',
    '@hey-api/client-fetch',
  ])
  fs.writeFileSync(join(work, 'use.ts'), use)
  const options = ['--strict', '--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler']
  const names = ['use.ts', 'paths.d.ts', 'client/index.ts'].map((name) => join(work, name))
  run(`${kind}: types of what they make`, 'tsc', [
    ...options,
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.iterable',
    ...names,
  ])
}

function writeDocument(kind, file) {
  const program = `
    import { openApiDocument } from ${JSON.stringify(join(root, 'contract/openapi/openapi.ts'))}
    import { withCustomFields } from ${JSON.stringify(join(root, 'contract/openapi/openapi-custom-fields.ts'))}
    import { withServices } from ${JSON.stringify(join(root, 'contract/openapi/openapi-services.ts'))}
    const own = new Map(${JSON.stringify(kind === 'own' ? ownFields : [])})
    const services = ${JSON.stringify(kind === 'own' ? ownServices : [])}
    const shipped = openApiDocument({ version: '1.0.0', serverUrl: 'https://agency.example' })
    const document = withCustomFields(withServices(shipped, services), own)
    process.stdout.write(JSON.stringify(document))`
  const { status, stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) fail(stderr)
  fs.writeFileSync(file, stdout)
}

function run(what, program, args) {
  report(what)
  const { status, stdout, stderr } = spawnSync(join(tools, program), args, {
    cwd: work,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  })
  if (status === 0) return
  process.stderr.write(`${stdout}${stderr}`)
  failed.push(what)
}
