/** The demo agency on a fixed business date, and the screens that are compared. */
import assert from 'node:assert/strict'
import { addBankFile } from '../../console/testing/screens/reference.ts'
import { loadDemo } from '../../cli/demo/load-demo.ts'
import { demoLogins, insertDemoAgency } from '../../server/access/users/demo-agency.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import type { TestApi } from '../../server/testing/api.ts'
import { runJobs, waitForJob } from '../../server/testing/jobs.ts'

export const businessDate = '2026-06-15'
/** Enough to fill a page of the lists, and to have plans and demand groups. */
const debtors = 60
/** Sees every screen. */
export const user = demoLogins.find(({ login }) => login.startsWith('admin@'))!

export interface Screen {
  name: string
  path: string
  heading: string | RegExp
}

export async function fillAgency(api: TestApi): Promise<void> {
  await api.setDate(businessDate)
  const origin = { actorId: null, requestId: null, operation: 'demo', businessDate }
  const agency = (await findAgency(api.sql))!
  await api.sql`update party set bank_account_no = 'SE4550000000058398257466' where id = ${agency}`
  await inTransaction(api.sql, (tx) => insertDemoAgency(tx, agency, origin))
  await loadDemo({ sql: api.sql }, api.app, { debtors, withTrial: false })
  const jobs = await runJobs(api)
  await addBankFile(api)
  await untilDone(api)
  await jobs.stop()
}

/** Until every job has ended. */
async function untilDone(api: TestApi): Promise<void> {
  const { body } = await api.call<{ value: { jobId: string }[] }>('GET', '/jobs')
  for (const { jobId } of body.value) await waitForJob(api, jobId)
}

/** The first record of a list. */
async function findFirst<Row>(
  api: TestApi,
  path: string,
  options: Record<string, string> = {},
): Promise<Row> {
  const query = new URLSearchParams(options)
  const { status, body, text } = await api.call<{ value: Row[] }>('GET', `${path}?${query}`)
  assert.equal(status, 200, text)
  assert.ok(body.value[0], `${path}: nothing found`)
  return body.value[0]
}

export async function listScreens(api: TestApi): Promise<Screen[]> {
  const partlyPaid = await findFirst<{ caseGuid: string; mainDebtorGuid: string }>(api, '/cases', {
    $filter: "closureDate eq null and paidSum gt 0 and currencyCode eq 'SEK'",
    $orderby: 'paidSum desc',
  })
  const plan = await findFirst<{ paymentPlanGuid: string }>(api, '/paymentplans', { $filter: 'active eq 1' })
  const strategy = await findFirst<{ strategyGuid: string }>(api, '/strategies')
  return [
    { name: 'my-work', path: '/', heading: 'My work today' },
    { name: 'worklist', path: '/worklist', heading: 'Worklist' },
    { name: 'case', path: `/cases/${partlyPaid.caseGuid}`, heading: /^Case / },
    { name: 'debtor', path: `/debtors/${partlyPaid.mainDebtorGuid}`, heading: /./ },
    { name: 'plan', path: `/plans/${plan.paymentPlanGuid}`, heading: 'Payment plan' },
    { name: 'dashboard', path: '/dashboard', heading: 'Dashboard' },
    { name: 'suspense', path: '/suspense', heading: 'Suspense' },
    { name: 'strategy', path: `/strategies/${strategy.strategyGuid}`, heading: /./ },
    { name: 'import', path: '/import', heading: 'Import' },
    { name: 'users', path: '/users', heading: 'Users' },
  ]
}
