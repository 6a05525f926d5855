/** What payment plans cost the service: calculated (D18), made (D14), and checked at the day's end, of which some are due. */
import { writeFile } from 'node:fs/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { basePath } from '../../contract/api.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import { findClientTerms, type ClientTerms } from '../../server/claims/client-terms.ts'
import { insertCases } from '../../server/cases/insert-cases.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { makeId } from '../../server/platform/database/make-id.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { runChunks } from '../../server/platform/jobs/chunked-work.ts'
import { checkPlans } from '../../server/plans/check-plans.ts'
import { createPlan } from '../../server/plans/plans.changes.ts'
import { findAgency, insertParty } from '../../server/access/users/parties.store.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { chooseDriver } from '../drive/drive.ts'
import { signIn, startProduct } from '../drive/servers.ts'
import { benchCaller } from '../scenarios/statements.ts'
import { computeMedian } from '../report/statistics.ts'
import { formatTable, formatMark, targetConnections } from '../report/table.ts'

const targets = { D18: 1500, D14: 300, checkSeconds: 20 }
/** So many of the debtors are asked about; each has one case. */
const askedMax = 2000
const casesAtOnce = 500
/** Of the plans that are checked, one in so many has a payment that is late. */
const lateOneIn = 100
const asked = { paymentPlanType: 1, numberOfPayments: 36, registrationFee: 170, invoiceFee: 60 }

interface StoredPlanOptions {
  debtors: number
  seconds: number
  rounds: number
  json: string | undefined
  folder: string
  report: (line: string) => void
}

export async function runStoredPlanBench(server: BenchServer, options: StoredPlanOptions): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, options.report)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    const product = await startProduct({ url, folder: options.folder })
    let rates: { D18: number; D14: number }
    try {
      options.report('Giving every debtor a case')
      await addCases(sql)
      rates = await measureRequests(product.address, sql, options)
    } finally {
      await product.stop()
    }
    options.report('Giving every case an active plan')
    await addPlans(sql)
    const check = await measureCheck(sql)
    await printPlans(options, { rates, check })
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, url)
  }
}

const originOn = (businessDate: string) => ({
  actorId: null,
  requestId: null,
  operation: 'bench',
  businessDate,
})
const readToday = async (sql: Sql): Promise<string> =>
  (await sql<{ date: string }[]>`select business_date as date from business_clock`)[0]!.date

async function addCases(sql: Sql): Promise<void> {
  const agency = (await findAgency(sql))!
  const party = await insertParty(sql, { referenceCode: 'PLANS', name: 'Plans', parentId: agency })
  const client = (await findClientTerms(sql, party))!
  const today = await readToday(sql)
  const debtors = await sql<{ id: string }[]>`select id from debtor order by id`
  for (let first = 0; first < debtors.length; first += casesAtOnce) {
    const cases = debtors.slice(first, first + casesAtOnce).map(({ id }) => preparedCase(client, id, today))
    await inTransaction(sql, (tx) => insertCases(tx, cases, { origin: originOn(today) }))
  }
  await sql`vacuum (analyze) debt_case`
}

const preparedCase = (client: ClientTerms, debtorGuid: string, today: string) => ({
  client,
  debtorGuid,
  debtorRole: 'MAIN_DEBTOR' as const,
  service: 'COLLECTION',
  clientReferenceNumber: null,
  currencyCode: 'SEK',
  claim: { id: makeId(), principal: 1_000_000n, dueDate: today, interestFrom: today, terms: null },
  invoiceNumber: null,
  invoiceDate: null,
  interest: 0n,
  fee: 0n,
  terms: { kind: 'fixed', rate: '10' } as const,
  claimKind: null,
  reminderFeeAgreed: null,
  dueDateBasis: null,
  isInterestStartGiven: false,
  noticeDeadline: null,
  description: null,
  registrationDate: null,
  sourceReference: null,
})

async function measureRequests(
  address: string,
  sql: Sql,
  { seconds, rounds, folder, report }: StoredPlanOptions,
): Promise<{ D18: number; D14: number }> {
  const driver = chooseDriver(folder)
  const token = await signIn(address)
  const debtors = await sql<{ id: string }[]>`select id from debtor order by random() limit ${askedMax}`
  const drive = async (suffix: string, length: number) => {
    const { rate, errors } = await driver.drive({
      address,
      headers: { authorization: `Bearer ${token}` },
      requests: debtors.map(({ id }) => ({
        method: 'POST' as const,
        path: `${basePath}/debtors/${id}/paymentplans${suffix}`,
        body: asked,
      })),
      connections: targetConnections,
      seconds: length,
    })
    if (errors > 0) throw new Error(`${errors} requests failed.`)
    return rate
  }
  const rates: { D18: number[]; D14: number[] } = { D18: [], D14: [] }
  await drive('/calculate', 1)
  await drive('', 1)
  // What the database has planned for empty tables reads them whole; within a minute autovacuum sees to that.
  await sql`analyze payment_plan, payment_plan_payment, payment_plan_case`
  for (let round = 1; round <= rounds; round++) {
    report(`  plans, round ${round}`)
    rates.D18.push(await drive('/calculate', seconds))
    rates.D14.push(await drive('', seconds))
  }
  return { D18: computeMedian(rates.D18), D14: computeMedian(rates.D14) }
}

/** One plan made by the product, and its like for every other case. */
async function addPlans(sql: Sql): Promise<void> {
  const today = await readToday(sql)
  const [first] = await sql<{ id: string }[]>`select id from debtor order by id limit 1`
  const environment = { countryCode: 'SE', currencyCode: 'SEK' }
  const input = { ...asked, active: 1 }
  const context = { origin: originOn(today), environment }
  const made = await createPlan(sql, benchCaller, { debtorGuid: first!.id, input }, context)
  const like = made.planGuid
  await sql`create temporary table twin as
    select gen_random_uuid() as id, c.id as case_id, c.client_id, c.main_debtor_id as debtor_id
    from debt_case c where c.before_plan_status is null`
  await sql`insert into payment_plan select (jsonb_populate_record(p, jsonb_build_object('id', t.id, 'debtor_id', t.debtor_id))).*
    from twin t, payment_plan p where p.id = ${like}`
  await sql`insert into payment_plan_payment
    select (jsonb_populate_record(n, jsonb_build_object('plan_id', t.id))).* from twin t, payment_plan_payment n where n.plan_id = ${like}`
  await sql`insert into payment_plan_case
    select (jsonb_populate_record(n, jsonb_build_object('plan_id', t.id, 'case_id', t.case_id, 'client_id', t.client_id,
      'movements_before', 0))).* from twin t, payment_plan_case n where n.plan_id = ${like}`
  await sql`update debt_case set before_plan_status = place_status, before_plan_sub_status = place_sub_status,
    status = 'AMICABLE', sub_status = 'PAYMENT_PLAN', place_status = 'AMICABLE', place_sub_status = 'PAYMENT_PLAN'
    where before_plan_status is null`
  await sql`vacuum (analyze) payment_plan`
  await sql`vacuum (analyze) payment_plan_case`
}

interface Check {
  plans: number
  nothingDue: number
  someLate: number
  late: number
}

/** Seconds: when nothing is to do, and when some plans are late by a payment. */
async function measureCheck(sql: Sql): Promise<Check> {
  const [count] = await sql<
    { plans: number }[]
  >`select count(*)::int as plans from payment_plan where active = 1`
  const today = await readToday(sql)
  const time = async () => {
    const began = performance.now()
    const done = await runChunks(sql, checkPlans(), originOn(today))
    return { seconds: (performance.now() - began) / 1000, done }
  }
  await time()
  const idle = await time()
  const long = addDays(today, -30)
  await sql`update payment_plan_payment n set due_date = ${long}, invoice_date = ${long} from payment_plan p
    where p.id = n.plan_id and n.payment_no = 1 and p.active = 1 and hashtext(p.id::text) % ${lateOneIn} = 0`
  await sql`update payment_plan set next_check = ${today} where active = 1 and hashtext(id::text) % ${lateOneIn} = 0`
  const some = await time()
  return { plans: count!.plans, nothingDue: idle.seconds, someLate: some.seconds, late: some.done.missed }
}

const second = (value: number) => [
  value.toFixed(2),
  `${targets.checkSeconds} ${formatMark(value <= targets.checkSeconds)}`,
]

async function printPlans(
  { debtors, seconds, rounds, json }: StoredPlanOptions,
  { rates, check }: { rates: { D18: number; D14: number }; check: Check },
): Promise<void> {
  const requests = (['D18', 'D14'] as const).map((name) => [
    name,
    rates[name].toFixed(0),
    `${targets[name]} ${formatMark(rates[name] >= targets[name])}`,
  ])
  const checks = [
    ['nothing is due', ...second(check.nothingDue)],
    [`${check.late} payments are late`, ...second(check.someLate)],
  ]
  process.stdout.write(
    `Plans of ${asked.numberOfPayments} payments, ${targetConnections} connections, medians of ${rounds} rounds of ${seconds} s.\n\n` +
      `${formatTable(['', 'req/s', 'target'], requests)}\n\n` +
      `Day-end check of ${check.plans} active plans.\n\n${formatTable(['', 's', 'target'], checks)}\n`,
  )
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ debtors, rates, check }, null, 2)}\n`)
}
