/** Every screen of the console, by its address and its heading. */
import type { Page } from 'playwright-core'
import type { ConsoleTest, OpenOptions } from '../browser.ts'
import type { Reference } from './reference.ts'

export type Screen = readonly [path: string, heading: string | RegExp]

/** The screens of one record. */
const recordScreens = (at: Reference): Screen[] => [
  [`/debtors/${at.debtorGuid}`, 'Åsa Lindqvist'],
  [`/debtors/${at.debtorGuid}/edit`, 'Edit the debtor'],
  [`/debtors/${at.debtorGuid}/plan`, 'Payment plan'],
  [`/cases/${at.caseGuid}`, /^Case /],
  [`/plans/${at.planGuid}`, 'Payment plan'],
  [`/clients/${at.clientGuid}`, 'Kraftbolaget AB'],
  [`/payouts/${at.payoutGuid}`, /^Payout /],
  [`/users/${at.userGuid}`, 'bo@agency.example'],
  [`/webhooks/${at.webhookGuid}`, /hooks\.example\.com|Accounting/],
  [`/strategies/${at.strategyGuid}`, /./],
  [`/trials/${at.trialGuid}`, 'Softer reminders'],
  [`/letter-templates/${at.letterTemplateGuid}`, 'Demand'],
]

export const allScreens = (at: Reference): Screen[] => [
  ...recordScreens(at),
  ['/', 'My work today'],
  ['/worklist', 'Worklist'],
  ['/debtors', 'Debtors'],
  ['/debtors/new', 'New debtor'],
  ['/cases', 'Cases'],
  ['/cases/new', 'Register a case'],
  ['/objections', 'Objections'],
  ['/clients', 'Clients'],
  ['/clients/new', 'New client'],
  ['/dashboard', 'Dashboard'],
  ['/payments', 'Payments'],
  ['/payments/new', 'Register a payment'],
  ['/plans', 'Payment plans'],
  ['/plans/payments', 'Payments of plans'],
  ['/promises', 'Promises to pay'],
  ['/events', 'Events'],
  ['/payment-files', 'Bank files'],
  ['/suspense', 'Suspense'],
  ['/payouts', 'Payouts'],
  ['/payouts/new', 'Pay out to clients'],
  ['/reports', 'Reports'],
  ['/reports?report=plans', 'Reports'],
  ['/import', 'Import'],
  ['/jobs', 'Jobs'],
  ['/jobs/commands', 'Commands'],
  ['/schedules', 'Schedules'],
  ['/webhooks', 'Webhooks'],
  ['/rates', 'Rates and fees'],
  ['/strategies', 'Strategies'],
  ['/strategies/new', 'New strategy'],
  ['/letter-templates', 'Letter templates'],
  ['/trials', 'Trials of strategies'],
  ['/access', 'Access groups'],
  ['/approvals', 'Approvals'],
  ['/approvals/limits', /./],
  ['/law-findings', /./],
  ['/fields', 'Custom fields'],
  ['/lookups', 'Lookup values'],
  ['/holdings', 'Client records'],
  ['/holdings?kind=purchase', 'Client records'],
  ['/setup', 'First steps'],
  ['/settings', 'Settings'],
  ['/users', 'Users'],
  ['/users/new', 'New user'],
  ['/audit', 'Audit trail'],
  ['/outbox', 'Outbox'],
  ['/system', 'System information'],
  ['/notifications', 'Notifications'],
  ['/profile', 'Profile and security'],
  ['/nowhere', 'Nothing here'],
]

const pagesAtOnce = 3

/** Takes a page to each screen and returns what is found there. `look` visits the screen by itself. */
export async function walkScreens(
  tested: ConsoleTest,
  at: Reference,
  options: OpenOptions,
  look: (page: Page, ...screen: Screen) => Promise<readonly string[]>,
): Promise<string[]> {
  const waiting = allScreens(at)
  const found: string[] = []
  const walk = async () => {
    const { page, close } = await tested.open('/', options)
    for (let screen = waiting.shift(); screen; screen = waiting.shift())
      found.push(...(await look(page, ...screen)))
    await close()
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, walk))
  return found
}
