/** The guides hold what they say: the formulas' examples are run, and so are the commands of the integration guide. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { caseStatuses, closureCodeList, debtorRoles, holds } from '../core/cases/case-lifecycle.ts'
import { interruptions } from '../core/limitation/limitation.ts'
import { feeTypes } from '../core/ledger/statutory-fees.ts'
import { functions } from '../server/platform/odata/tree.ts'
import { startApi, type TestApi } from '../server/testing/api.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'fordra-guides-'))
after(() => rmSync(folder, { recursive: true }))

interface Block {
  heading: string
  text: string
}

function readBlocks(file: string, language: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  const pattern = new RegExp(`^#+ (.+)$|^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  for (const [, title, text] of readFileSync(join(root, 'docs/guides', file), 'utf8').matchAll(pattern)) {
    if (title !== undefined) heading = title
    else blocks.push({ heading, text: text! })
  }
  return blocks
}

describe('the formulas', () => {
  const blocks = readBlocks('formulas.md', 'ts')

  test('each have an example that is run', () => {
    assert.ok(blocks.length >= 9)
    for (const { text, heading } of blocks) {
      assert.match(text, /from '\.\.\/\.\.\/core\//, heading)
      assert.match(text, /assert\./, heading)
    }
  })

  for (const [index, { heading, text }] of blocks.entries()) {
    const core = pathToFileURL(join(root, 'core')).href
    const run = async (program: string, name: string) => {
      const file = join(folder, `${name}.ts`)
      const whole = `import assert from 'node:assert/strict'\n${program.replaceAll('../../core', core)}`
      writeFileSync(file, whole)
      await import(pathToFileURL(file).href)
    }
    test(`${heading} (${index + 1})`, async () => {
      await run(text, `block-${index}`)
      // An example whose numbers are changed fails: it is really run.
      const wrong = text.replaceAll(
        /(\d)(n?[\])]|n,| *\/\/|'\))/g,
        (_, digit: string, rest: string) => `${(Number(digit) + 1) % 10}${rest}`,
      )
      if (wrong !== text) await assert.rejects(run(wrong, `wrong-${index}`))
    })
  }
})

/** Runs commands until one fails, and returns what they said. */
async function runShell(commands: string): Promise<string> {
  const script = `set -eu\n${commands}\n`
  const shell = spawn('bash', ['-o', 'pipefail', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text) => (said += String(text)))
  const [code] = (await once(shell, 'close')) as [number]
  assert.equal(code, 0, said)
  return said
}

test('the commands of the guide to trials of strategies work one after the other', async () => {
  const api = await startApi()
  const client = await api.addParty('NORD')
  const put = (strategy: string) => api.call('PUT', `/clients/${client}/strategy`, { body: { strategy } })
  await put('NORDIC')
  const actions = [{ kind: 'letter', letter: 'reminder' }]
  const steps = [{ code: 'REMINDER', status: 'NEW', afterDays: 10, actions }]
  await api.call('POST', '/strategies', { body: { code: 'SOFT', name: 'Soft', steps } })
  const known = `api=${api.address}/api/v1 auth='authorization: Bearer ${api.token}' client=${client}
    json='content-type: application/json'`
  const blocks = readBlocks('compare-strategies.md', 'sh')
  const said = await runShell([known, ...blocks.map(({ text }) => text)].join('\n'))
  assert.match(said, /"detectablePlanned"/)
  const [found] =
    await api.sql`select t.status, g.code from trial t, party p join strategy g on g.id = p.strategy_id
    where p.id = ${client}`
  assert.deepEqual({ ...found }, { status: 'STOPPED', code: 'SOFT' })
  await api.close()
})

test('the commands of the integration guide work one after the other', async () => {
  const api = await startApi()
  await api.addUser({ email: 'admin@demo.example', password: 'demo-password-admin', userRole: 2 })
  await api.addParty('NORD')
  const blocks = readBlocks('integrate.md', 'sh')
  assert.ok(blocks.length >= 6)
  const commands = blocks.map(({ text }) => text).join('\n')
  assert.ok(commands.includes('http://127.0.0.1:3000/'))
  const said = await runShell(commands.replace('http://127.0.0.1:3000', api.address))
  assert.match(said, /"levelAmount"|"numberOfPayments":6/)
  const [found] = await api.sql`select email, (select count(*)::int from debt_case) as cases,
    (select count(*)::int from payment) as payments from debtor`
  assert.deepEqual({ ...found }, { email: 'asa@example.com', cases: 1, payments: 1 })
  const [creditor] = await api.sql`
    select p.name, p.currency_code as currency from debt_case c join party p on p.id = c.client_id`
  assert.deepEqual({ ...creditor }, { name: 'Skånekraft AB', currency: 'SEK' })
  await api.close()
})

/** What stands as code in each row of the tables of a text. */
const readCodes = (text: string): string[][] =>
  [...text.matchAll(/^\| .+ \|$/gm)].map(([row]) => [...row.matchAll(/`([^`]+)`/g)].map(([, code]) => code!))

describe('the guide to filters', () => {
  const text = readFileSync(join(root, 'docs/guides/filters.md'), 'utf8')
  const [body = '', refused = ''] = text.split('## What is refused')
  let api: TestApi
  before(async () => {
    api = await startApi()
    const found = {
      firstname: 'Åsa',
      lastname: 'Lindqvist',
      dateOfBirth: '1980-05-17',
      juridicalType: 0,
      email: 'asa@example.com',
      zipCode: '21142',
      city: 'Malmö',
      countryCode: 'SE',
      underAged: false,
    }
    await api.call('POST', '/debtors', { body: found })
  })
  after(() => api.close())
  const ask = (filter: string) =>
    api.call<{ total: number }>('GET', `/debtors?$filter=${encodeURIComponent(filter)}`)

  const count = async (filter: string) => (await ask(filter)).body.total

  test('names every operator and function, with an example that finds its debtor and whose opposite does not', async () => {
    const operators = readCodes(body.split('## Values')[0]!).filter((row) => row.length > 1)
    const named = new Set(operators.map(([write]) => write!.replace(/\(.*/, '')))
    for (const name of [
      ...Object.keys(functions),
      'eq',
      'ne',
      'gt',
      'ge',
      'lt',
      'le',
      'in',
      'and',
      'or',
      'not',
    ])
      assert.ok(named.has(name), name)
    const examples = [
      ...operators.map((row) => row.at(-1)!),
      ...readCodes(body.split('## Values')[1]!)
        .flat()
        .filter((code) => /^\w+ \w\w /.test(code)),
    ]
    assert.ok(examples.length >= 35)
    const wrong: object[] = []
    for (const example of examples) {
      const found = [await count(example), await count(`not (${example})`)]
      if (found[0] !== 1 || found[1] !== 0) wrong.push({ example, found })
    }
    assert.deepEqual(wrong, [])
  })

  test('says what is refused, and what is right instead', async () => {
    const pairs = readCodes(refused).filter((row) => row.length === 2)
    assert.ok(pairs.length >= 7)
    for (const [wrong, right] of pairs) {
      assert.equal((await ask(wrong!)).status, 400, wrong)
      assert.equal((await ask(right!)).body.total, 1, right)
    }
  })
})

test('the glossary has every status, hold, closure code, role, interruption and fee type', () => {
  const glossary = readFileSync(join(root, 'docs/guides/glossary.md'), 'utf8')
  const subStatuses = Object.values(caseStatuses).flatMap((status) => [...status.subStatuses] as string[])
  const codes = [
    ...Object.keys(caseStatuses),
    ...subStatuses,
    ...holds,
    ...closureCodeList,
    ...debtorRoles,
    ...interruptions,
    ...feeTypes,
  ]
  assert.deepEqual(
    codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(glossary)),
    [],
  )
})
