/** What access costs: the lists of a creditor beside those of the agency, and how long it takes to be refused at signing in. */
import { writeFile } from 'node:fs/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { basePath } from '../../contract/api.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { hashPassword } from '../../server/access/sessions/passwords.ts'
import { findAgency, insertParty } from '../../server/access/users/parties.store.ts'
import { noUser } from '../../server/access/users/users.rules.ts'
import { insertUser } from '../../server/access/users/users.store.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { chooseDriver } from '../drive/drive.ts'
import { openCaseLoader } from '../load/load-cases.ts'
import { benchLogin } from '../load/load-debtors.ts'
import { signIn, startProduct } from '../drive/servers.ts'
import { computeMedian, computeMedianRatio } from '../report/statistics.ts'
import { formatTable, formatMark, targetConnections } from '../report/table.ts'

const clients = 500
const targetShare = 0.5
const signIns = 200
const creditor = { login: 'creditor@fordra.example', password: 'of one client among many' }
const disabled = { login: 'disabled@fordra.example', password: 'of nobody who may come in' }
const origin = { actorId: null, requestId: null, operation: 'bench', businessDate: '2026-01-01' }

interface AccessOptions {
  debtors: number
  seconds: number
  rounds: number
  json: string | undefined
  folder: string
  report: (line: string) => void
}

export async function runAccessBench(server: BenchServer, options: AccessOptions): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, options.report)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    options.report(`Dividing the debtors among ${clients} clients`)
    await divideDebtors(sql)
    const product = await startProduct({ url, folder: options.folder })
    try {
      const lists = await measureLists(product.address, options)
      options.report(`Signing in ${signIns} times in each of three ways`)
      const refusals = await measureRefusals(product.address, sql)
      await printAccess(options, { lists, refusals })
    } finally {
      await product.stop()
    }
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, url)
  }
}

/** Gives each client as many debtors, half of them by a case, and makes a user of the first one and one who is disabled. */
async function divideDebtors(sql: Sql): Promise<void> {
  const agency = await findAgency(sql)
  const parties: string[] = []
  await inTransaction(sql, async (tx) => {
    for (let number = 1; number <= clients; number++) {
      const code = `CLIENT-${number}`
      parties.push(await insertParty(tx, { referenceCode: code, name: code, parentId: agency! }))
    }
    await tx`
      update debtor d set created_by_party_id = (${parties}::uuid[])[n.number % ${clients} + 1]
      from (select id, row_number() over (order by id) as number from debtor) n where n.id = d.id`
    for (const [user, isDisabled] of [
      [creditor, false],
      [disabled, true],
    ] as const) {
      const record = { ...noUser, email: user.login, fullName: user.login, userRole: 9, disabled: isDisabled }
      const passwordHash = await hashPassword(user.password)
      await insertUser(tx, { partyId: parties[0]!, record, passwordHash }, origin)
    }
  })
  const loader = await openCaseLoader(sql)
  for (const party of parties) {
    const own = await sql<
      { id: string }[]
    >`select id from debtor where created_by_party_id = ${party} order by id`
    const withCase = own.slice(0, own.length / 2).map(({ id }) => id)
    await loader.insert(party, withCase, { perDebtor: 1 })
  }
  await sql`vacuum (analyze)`
}

interface Lists {
  unrestricted: number
  restricted: number
  share: number
  total: number
}

async function measureLists(
  address: string,
  { seconds, rounds, folder, report, debtors }: AccessOptions,
): Promise<Lists> {
  const driver = chooseDriver(folder)
  const path = `${basePath}/debtors?$orderby=fullName`
  const load = (token: string, length: number) => ({
    address,
    headers: { authorization: `Bearer ${token}` },
    requests: [{ method: 'GET' as const, path }],
    connections: targetConnections,
    seconds: length,
  })
  const [all, some] = [await signIn(address), await signIn(address, creditor)]
  const total = await readTotal(address, path, some)
  const expected = debtors / clients
  if (Math.abs(total - expected) > 1)
    throw new Error(`The creditor sees ${total} debtors in place of ${expected}.`)
  const rates: { all: number[]; some: number[] } = { all: [], some: [] }
  for (const token of [all, some]) await driver.drive(load(token, 1))
  for (let round = 1; round <= rounds; round++) {
    report(`  lists, round ${round}`)
    for (const [name, token] of [
      ['all', all],
      ['some', some],
    ] as const) {
      const { rate, errors } = await driver.drive(load(token, seconds))
      if (errors > 0) throw new Error(`${errors} requests failed.`)
      rates[name].push(rate)
    }
  }
  return {
    unrestricted: computeMedian(rates.all),
    restricted: computeMedian(rates.some),
    share: computeMedianRatio(rates.some, rates.all)!,
    total,
  }
}

async function readTotal(address: string, path: string, token: string): Promise<number> {
  const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return ((await response.json()) as { total: number }).total
}

/** The medians of the times that it takes to be refused, in milliseconds, in turns. */
async function measureRefusals(address: string, sql: Sql): Promise<Record<string, number>> {
  const ways: [name: string, body: object][] = [
    ['unknown login', { login: 'nobody@fordra.example', password: benchLogin.password }],
    ['wrong password', { login: benchLogin.login, password: 'that of somebody else' }],
    ['disabled user', disabled],
  ]
  const times = new Map<string, number[]>(ways.map(([name]) => [name, []]))
  for (let turn = 0; turn < signIns; turn++) {
    // Nobody is to wait, and each is as often the first as any other.
    await sql`delete from login_failure`
    for (const at of ways.keys()) {
      const [name, body] = ways[(at + turn) % ways.length]!
      const began = performance.now()
      const answer = await fetch(`${address}${basePath}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      await answer.arrayBuffer()
      times.get(name)!.push(performance.now() - began)
      if (answer.status !== 401) throw new Error(`Signing in with ${name} was answered ${answer.status}.`)
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, computeMedian(all)]))
}

async function printAccess(
  { debtors, seconds, rounds, json }: AccessOptions,
  { lists, refusals }: { lists: Lists; refusals: Record<string, number> },
): Promise<void> {
  const share = `${(lists.share * 100).toFixed(0)}% ${formatMark(lists.share >= targetShare)}`
  const pages = [
    ['all debtors', String(debtors), lists.unrestricted.toFixed(0), '-'],
    [`of 1 client in ${clients}`, String(lists.total), lists.restricted.toFixed(0), share],
  ]
  const times = Object.entries(refusals).map(([name, ms]) => [name, ms.toFixed(2)])
  process.stdout.write(
    `First page with total, ${targetConnections} connections, medians of ${rounds} rounds of ${seconds} s; target ${targetShare * 100}%.\n\n` +
      `${formatTable(['list', 'total', 'req/s', 'of all'], pages)}\n\n` +
      `Refused sign-ins, medians of ${signIns} each, in turns.\n\n${formatTable(['', 'ms'], times)}\n`,
  )
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ debtors, lists, refusals }, null, 2)}\n`)
}
