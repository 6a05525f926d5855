/**
 * Adds to a database that has debtors: cases of 500 clients of unequal size, payments, and a user for each kind of caller.
 */
import { insertParty, findAgency } from '../../server/access/users/parties.store.ts'
import { hashPassword } from '../../server/access/sessions/passwords.ts'
import { noUser } from '../../server/access/users/users.rules.ts'
import { insertUser } from '../../server/access/users/users.store.ts'
import { startBusinessClock } from '../../server/platform/clock/business-clock.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { ApiError } from '../../server/platform/http/errors.ts'
import { registerPayments } from '../../server/payments/register-payments.ts'
import type { Content, Report } from './databases.ts'
import { benchCaller } from '../scenarios/statements.ts'
import { openCaseLoader } from './load-cases.ts'
import { benchLogin } from './load-debtors.ts'

const clients = 500
/** The first client has this share of the debtors; the others have equal parts of the rest. */
const shareOfLargest = 0.4

/** Every tenth case has a payment, and every fifth of these pays the case in full. */
const casesPerPayment = 10
const paymentsPerFull = 5
const paymentsPerTransaction = 500

const password = 'of one client, measured again'
/** The users that the bench signs in as. */
export const callers = {
  unrestricted: benchLogin,
  large: { login: 'large@fordra.example', password },
  small: { login: 'small@fordra.example', password },
} as const
export type CallerKind = keyof typeof callers

/** The number of the client of each restricted user: 0 is the largest, all others are small. */
const clientNumbers = { large: 0, small: 250 }
const clientCode = (number: number): string => `CLIENT-${number}`

/** What a database has beside its debtors: one case for each of them. */
export const portfolio: Content = { name: 'portfolio', load: loadPortfolio }

async function loadPortfolio(url: string, report: Report): Promise<void> {
  const sql = openDatabase(url, { max: 2, applicationName: 'fordra bench' })
  try {
    const loader = await openCaseLoader(sql)
    const parts = divideDebtors(await listDebtors(sql))
    for (const [number, part] of parts.entries()) {
      const clientGuid = await insertParty(sql, {
        referenceCode: clientCode(number),
        name: `Client ${number}`,
        parentId: (await findAgency(sql))!,
      })
      await loader.insert(clientGuid, part, { perDebtor: 1 })
      if (number % 100 === 0) report(`  cases of client ${number} of ${clients}`)
    }
    await loadPayments(sql, report)
    await addUsers(sql)
    await sql`vacuum (analyze)`
    await sql`checkpoint`
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const listDebtors = async (sql: Sql): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from debtor order by md5(debtor_reference)`).map(({ id }) => id)

function divideDebtors(debtors: readonly string[]): string[][] {
  const first = Math.round(debtors.length * shareOfLargest)
  const begins = Array.from({ length: clients }, (_, number) =>
    number === 0 ? 0 : first + Math.floor(((number - 1) * (debtors.length - first)) / (clients - 1)),
  )
  return begins.map((begin, number) => debtors.slice(begin, begins[number + 1] ?? debtors.length))
}

async function loadPayments(sql: Sql, report: Report): Promise<void> {
  const cases = await sql<{ id: string; due: number }[]>`
    select id, (remaining_principal + remaining_interest + accrued_interest + remaining_fee) / 100.0::float8 as due
    from debt_case order by md5(id::text)`
  const businessDate = await readBusinessDate(sql)
  const origin = { actorId: null, requestId: null, operation: 'bench', businessDate }
  const paid = cases.filter((_, index) => index % casesPerPayment === 0)
  report(`  ${paid.length} payments`)
  for (let first = 0; first < paid.length; first += paymentsPerTransaction) {
    const requests = paid.slice(first, first + paymentsPerTransaction).map(({ id, due }, index) => ({
      input: { caseGuid: id, amount: index % paymentsPerFull === 0 ? due : 100 + (index % 97) },
      sourceReference: `bench:${first + index}`,
    }))
    const outcomes = await inTransaction(sql, (tx) => registerPayments(tx, benchCaller, requests, origin))
    const refused = outcomes.find((outcome) => outcome instanceof ApiError)
    if (refused) throw refused
  }
}

async function readBusinessDate(sql: Sql): Promise<string> {
  const clock = await startBusinessClock(sql, { timeZone: 'UTC', steps: [], onError: () => {} })
  clock.stop()
  return clock.today()
}

async function addUsers(sql: Sql): Promise<void> {
  const origin = { actorId: null, requestId: null, operation: 'bench', businessDate: '2026-01-01' }
  for (const kind of ['large', 'small'] as const) {
    const code = clientCode(clientNumbers[kind])
    const [client] = await sql<{ id: string }[]>`select id from party where reference_code = ${code}`
    const { login } = callers[kind]
    const record = { ...noUser, email: login, fullName: login, userRole: 9 }
    const passwordHash = await hashPassword(password)
    await inTransaction(sql, (tx) => insertUser(tx, { partyId: client!.id, record, passwordHash }, origin))
  }
}
