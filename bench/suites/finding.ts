/**
 * How long it takes to find something, over HTTP: the search, lookups of records and of lists, and the filter on an own
 * field, on debtors with three cases each. What is looked for is drawn from the database, and mistyped where it says so.
 */
import { writeFile } from 'node:fs/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { hashPassword } from '../../server/access/sessions/passwords.ts'
import { noUser } from '../../server/access/users/users.rules.ts'
import { insertUser } from '../../server/access/users/users.store.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { chooseDriver, type Driver } from '../drive/drive.ts'
import { drawAsked, targets, type Asked } from './findable.ts'
import { loadCases } from '../load/load-cases.ts'
import { signIn, startProduct } from '../drive/servers.ts'
import { mergeFigures, type Figures } from '../report/statistics.ts'
import { formatTable, formatMark } from '../report/table.ts'

const creditor = { login: 'finder@fordra.example', password: 'of the client that all cases have' }
const origin = { actorId: null, requestId: null, operation: 'bench', businessDate: '2026-01-01' }

interface FindingOptions {
  debtors: number
  seconds: number
  rounds: number
  concurrency: number[]
  only: string[]
  json: string | undefined
  keep: boolean
  folder: string
  report: (line: string) => void
}

interface Found {
  name: string
  target: number | null
  connections: number
  figures: Figures
}

export async function runFindingBench(server: BenchServer, options: FindingOptions): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, options.report)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    const cases = await loadCases(url, {}, options.report)
    await addCreditor(sql)
    const chosen = (await drawAsked(sql)).filter(
      ({ name }) => options.only.length === 0 || options.only.some((start) => name.startsWith(start)),
    )
    if (chosen.length === 0) throw new Error('--only names nothing that is looked for.')
    const product = await startProduct({ url, folder: options.folder })
    try {
      const found = await measure(product.address, chosen, options)
      await print(options, cases, found)
    } finally {
      await product.stop()
    }
  } finally {
    await sql.end({ timeout: 5 })
    if (!options.keep) await dropDatabase(server, url)
  }
}

async function addCreditor(sql: Sql): Promise<void> {
  const [client] = await sql<{ id: string }[]>`select client_id as id from debt_case limit 1`
  const record = { ...noUser, email: creditor.login, fullName: creditor.login, userRole: 9 }
  const passwordHash = await hashPassword(creditor.password)
  await inTransaction(sql, (tx) => insertUser(tx, { partyId: client!.id, record, passwordHash }, origin))
}

async function measure(
  address: string,
  chosen: readonly Asked[],
  { concurrency, rounds, seconds, folder, report }: FindingOptions,
): Promise<Found[]> {
  const driver = chooseDriver(folder)
  const found: Found[] = []
  for (const asked of chosen) {
    await checkAnswers(address, asked)
    for (const connections of concurrency) {
      report(`  ${asked.name}, ${connections} connections`)
      const figures = await driveRounds(driver, address, asked, { connections, rounds, seconds })
      found.push({ name: asked.name, target: asked.target, connections, figures })
    }
  }
  return found
}

const tokenFor = (address: string, { restricted }: Asked) =>
  restricted ? signIn(address, creditor) : signIn(address)

async function driveRounds(
  driver: Driver,
  address: string,
  asked: Asked,
  { connections, rounds, seconds }: { connections: number; rounds: number; seconds: number },
): Promise<Figures> {
  const headers = { authorization: `Bearer ${await tokenFor(address, asked)}` }
  const load = { address, headers, requests: asked.requests, connections }
  await driver.driveForLatency({ ...load, seconds: 1 })
  const figures: Figures[] = []
  for (let round = 0; round < rounds; round++)
    figures.push(await driver.driveForLatency({ ...load, seconds }))
  return mergeFigures(figures)
}

/** What is quick because it finds nothing would be no figure. */
async function checkAnswers(address: string, asked: Asked): Promise<void> {
  const authorization = `Bearer ${await tokenFor(address, asked)}`
  let found = 0
  for (const { method, path, body } of asked.requests.slice(0, 20)) {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const page = (await answer.json()) as { items?: unknown[]; values?: unknown[]; value?: unknown[] }
    if (answer.status !== 200) throw new Error(`${asked.name} was answered ${answer.status}.`)
    found += (page.items ?? page.values ?? page.value ?? []).length
  }
  if (found === 0) throw new Error(`${asked.name} finds nothing.`)
}

async function print(
  { debtors, seconds, rounds, json }: FindingOptions,
  cases: number,
  found: readonly Found[],
): Promise<void> {
  const rows = found.map(({ name, target, connections, figures }) => {
    const p99 = figures.p99.toFixed(1)
    const mark = target !== null && connections === 1 ? ` ${formatMark(figures.p99 < target)}` : ''
    const { rate, p50, errors } = figures
    return [name, String(connections), rate.toFixed(0), p50.toFixed(1), `${p99}${mark}`, String(errors)]
  })
  process.stdout.write(
    `${debtors} debtors, ${cases} cases; medians of ${rounds} rounds of ${seconds} s over HTTP.\n` +
      `Targets, one at a time: search under ${targets.search} ms, lookups under ${targets.lookup} ms at p99.\n\n` +
      `${formatTable(['', 'conn', 'req/s', 'p50 ms', 'p99 ms', 'errors'], rows)}\n`,
  )
  if (json !== undefined)
    await writeFile(json, `${JSON.stringify({ debtors, cases, seconds, rounds, found }, null, 2)}\n`)
}
