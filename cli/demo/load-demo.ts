/** Loads the demo agency's debtors, cases, plans and work into an empty database. */
import type { App } from '../../server/app.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { assignStrategy } from '../../server/collection/strategies/strategies.store.ts'
import { createSchedule } from '../../server/integration/commands/schedules.changes.ts'
import { prepareDebtor } from '../../server/parties/debtors/debtors.changes.ts'
import { insertDebtors } from '../../server/parties/debtors/insert-debtors.store.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { CountryCode } from './country.ts'
import { generateDebtors } from './debtors.ts'
import { insertDemoCases } from './insert-cases.ts'
import { insertDemoDashboards } from './insert-dashboards.ts'
import { insertDemoLaw } from './insert-law.ts'
import { insertDemoPlans } from './insert-plans.ts'
import { insertDemoWork } from './insert-work.ts'

const demoDebtors = 200

interface DemoOptions {
  debtors?: number
  report?: (line: string) => void
}

/** Needs the demo agency's clients and users. Does nothing where debtors are. */
export async function loadDemo(
  { sql }: { sql: Db },
  app: App,
  { debtors: count = demoDebtors, report = () => {} }: DemoOptions = {},
): Promise<void> {
  const [found] = await sql<{ any: boolean }[]>`select exists (select from debtor) as any`
  if (found!.any) return
  report(`Loading the demo agency: ${count} invented debtors with three cases each.`)
  const today = app.service.clock.today()
  const context = { countryCode: app.service.settings.FORDRA_COUNTRY, today }
  const inputs = [...generateDebtors({ seed: 1, count, today })]
  const debtors = inputs.map((input, index) => ({
    ...prepareDebtor(input, context),
    sourceReference: `demo/DEMO-1-${String(index + 1).padStart(6, '0')}`,
  }))
  const origin = { actorId: null, requestId: null, operation: 'demo', businessDate: today }
  const made = await insertDebtors(sql, debtors, { origin, partyId: (await findAgency(sql)) ?? null })
  const owing = made.flatMap((debtor, index) =>
    debtor ? { ...debtor, countryCode: inputs[index]!.countryCode as CountryCode } : [],
  )
  await insertDemoCases(sql, owing, { seed: 1, origin })
  await insertDemoPlans(sql, owing, { origin })
  await insertDemoWork(sql, origin)
  await assignStrategy(sql, (await findAgency(sql))!, 'NORDIC')
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
