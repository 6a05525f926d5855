/** Loads the demo agency's debtors, cases, plans, work, letters, files and trial into an empty database. */
import type { App } from '../../server/app.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { assignStrategy } from '../../server/collection/strategies/strategies.store.ts'
import { createSchedule } from '../../server/integration/commands/schedules.changes.ts'
import { prepareDebtor } from '../../server/parties/debtors/debtors.changes.ts'
import { insertDebtors } from '../../server/parties/debtors/insert-debtors.store.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { Origin } from '../../server/platform/http/caller.ts'
import type { CountryCode } from './country.ts'
import { generateDebtors, type DemoDebtor } from './debtors.ts'
import { insertDemoCases } from './insert-cases.ts'
import { insertDemoDesk } from './insert-desk.ts'
import { insertDemoDashboards } from './insert-dashboards.ts'
import { insertDemoLaw } from './insert-law.ts'
import { insertDemoPlans } from './insert-plans.ts'
import { insertDemoTrial } from './insert-trial.ts'
import { insertDemoWork } from './insert-work.ts'

const demoDebtors = 200
const trialDebtors = 360
/** Debtors of the trial are drawn from these, so that the file of 2,000 that the README imports has none of them. */
const drawnForTrial = { from: 2000, upto: 3000 }

interface DemoOptions {
  debtors?: number
  /** Whether a trial of strategies has run for some weeks. */
  withTrial?: boolean
  report?: (line: string) => void
}

interface Loading {
  sql: Db
  app: App
  origin: Origin
}

/** Needs the demo agency's clients and users. Does nothing where debtors are. */
export async function loadDemo(
  { sql }: { sql: Db },
  app: App,
  { debtors: count = demoDebtors, withTrial = true, report = () => {} }: DemoOptions = {},
): Promise<void> {
  const [found] = await sql<{ any: boolean }[]>`select exists (select from debtor) as any`
  if (found!.any) return
  report(`Loading the demo agency: ${count} invented debtors with three cases each.`)
  const today = app.service.clock.today()
  const origin = { actorId: null, requestId: null, operation: 'demo', businessDate: today }
  const loading = { sql, app, origin }
  const owing = await insertInvented(loading, drawDebtors(count, today))
  await insertDemoCases(sql, owing, { seed: 1, origin })
  await insertDemoPlans(sql, owing, { origin })
  await assignStrategy(sql, (await findAgency(sql))!, 'NORDIC')
  if (withTrial) {
    report(`Loading a trial of strategies with ${trialDebtors} debtors.`)
    await insertTrial(loading)
  }
  await insertDemoWork(sql, origin)
  await insertDemoDesk(sql, origin)
  await insertDemoLaw(sql, origin)
  const { FORDRA_COUNTRY: countryCode, FORDRA_CURRENCY: currencyCode } = app.service.settings
  await insertDemoDashboards(sql, { environment: { countryCode, currencyCode }, origin })
  const weekly = {
    command: 'verify-ledger',
    cron: '30 4 * * SUN',
    description: 'The books, before the week.',
  }
  await createSchedule(sql, weekly, { origin, timeZone: app.service.settings.FORDRA_TIME_ZONE })
}

/** With the number of each in the file of `fordra demo`. */
interface Drawn {
  input: DemoDebtor
  number: number
}

const drawDebtors = (count: number, today: string): Drawn[] =>
  [...generateDebtors({ seed: 1, count, today })].map((input, index) => ({ input, number: index + 1 }))

async function insertInvented(
  { sql, app, origin }: Loading,
  drawn: readonly Drawn[],
): Promise<{ debtorGuid: string; countryCode: CountryCode }[]> {
  const context = { countryCode: app.service.settings.FORDRA_COUNTRY, today: origin.businessDate }
  const debtors = drawn.map(({ input, number }) => ({
    ...prepareDebtor(input, context),
    sourceReference: `demo/DEMO-1-${String(number).padStart(6, '0')}`,
  }))
  const made = await insertDebtors(sql, debtors, { origin, partyId: (await findAgency(sql)) ?? null })
  return made.flatMap((debtor, index) =>
    debtor ? { ...debtor, countryCode: drawn[index]!.input.countryCode as CountryCode } : [],
  )
}

/** Its debtors are others than the demo's, which are the same with and without a trial. */
async function insertTrial(loading: Loading): Promise<void> {
  const { sql, app, origin } = loading
  const { from, upto } = drawnForTrial
  const drawn = drawDebtors(upto, origin.businessDate).slice(from)
  const swedish = drawn.filter(({ input }) => input.countryCode === 'SE')
  const debtors = await insertInvented(loading, swedish.slice(0, trialDebtors))
  await insertDemoTrial(
    sql,
    app.service.clock,
    debtors.map(({ debtorGuid }) => debtorGuid),
    origin,
  )
}
