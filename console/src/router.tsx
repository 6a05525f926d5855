/**
 * The addresses of the console. A screen is loaded when it is first gone to, or pointed at. A new one is a route here,
 * an entry in shell/navigation.ts, and a file below screens/ with the component as its default export.
 */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { FormPlace } from './forms/form-place.ts'
import { readListSearch } from './lists/list-search.ts'
import { readHoldingSearch } from './screens/administration/holding-search.ts'
import { readReportSearch } from './screens/reports/report-search.ts'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'

const root = createRootRoute({ component: Shell })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/home/home.tsx')),
})
/** What the navigation of the service calls the first screen. */
const worklist = createRoute({
  getParentRoute: () => root,
  path: '/worklist',
  validateSearch: readListSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/', search, replace: true })
  },
})
const debtors = createRoute({
  getParentRoute: () => root,
  path: '/debtors',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/debtors/debtor-list.tsx')),
})
const newDebtor = createRoute({
  getParentRoute: () => root,
  path: '/debtors/new',
  component: lazyRouteComponent(() => import('./screens/debtors/debtor-create.tsx')),
})
const debtor = createRoute({
  getParentRoute: () => root,
  path: '/debtors/$debtorGuid',
  component: lazyRouteComponent(() => import('./screens/debtors/debtor-page.tsx')),
})
const editDebtor = createRoute({
  getParentRoute: () => root,
  path: '/debtors/$debtorGuid/edit',
  component: lazyRouteComponent(() => import('./screens/debtors/debtor-edit.tsx')),
})
const plan = createRoute({
  getParentRoute: () => root,
  path: '/debtors/$debtorGuid/plan',
  component: lazyRouteComponent(() => import('./screens/plans/plan-workshop.tsx')),
})
const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/cases/case-list.tsx')),
})
const newCase = createRoute({
  getParentRoute: () => root,
  path: '/cases/new',
  component: lazyRouteComponent(() => import('./screens/cases/case-create.tsx')),
})
const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/cases/$caseGuid',
  component: lazyRouteComponent(() => import('./screens/cases/case-page.tsx')),
})
const clients = createRoute({
  getParentRoute: () => root,
  path: '/clients',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/clients/client-list.tsx')),
})
const newClient = createRoute({
  getParentRoute: () => root,
  path: '/clients/new',
  component: lazyRouteComponent(() => import('./screens/clients/client-create.tsx')),
})
const client = createRoute({
  getParentRoute: () => root,
  path: '/clients/$clientGuid',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/clients/client-page.tsx')),
})
const users = createRoute({
  getParentRoute: () => root,
  path: '/users',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/users/user-list.tsx')),
})
const newUser = createRoute({
  getParentRoute: () => root,
  path: '/users/new',
  component: lazyRouteComponent(() => import('./screens/users/user-create.tsx')),
})
const user = createRoute({
  getParentRoute: () => root,
  path: '/users/$userGuid',
  component: lazyRouteComponent(() => import('./screens/users/user-page.tsx')),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/system/audit-list.tsx')),
})
const outbox = createRoute({
  getParentRoute: () => root,
  path: '/outbox',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/system/outbox-list.tsx')),
})
const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyRouteComponent(() => import('./screens/system/system-page.tsx')),
})
const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/job-list.tsx')),
})
const jobCommands = createRoute({
  getParentRoute: () => root,
  path: '/jobs/commands',
  component: lazyRouteComponent(() => import('./screens/administration/command-list.tsx')),
})
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/webhook-list.tsx')),
})
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$webhookGuid',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/webhook-page.tsx')),
})
const strategies = createRoute({
  getParentRoute: () => root,
  path: '/strategies',
  component: lazyRouteComponent(() => import('./screens/strategies/strategy-list.tsx')),
})
const newStrategy = createRoute({
  getParentRoute: () => root,
  path: '/strategies/new',
  component: lazyRouteComponent(() => import('./screens/strategies/strategy-new.tsx')),
})
const strategy = createRoute({
  getParentRoute: () => root,
  path: '/strategies/$strategyGuid',
  component: lazyRouteComponent(() => import('./screens/strategies/strategy-page.tsx')),
})
const paymentFiles = createRoute({
  getParentRoute: () => root,
  path: '/payment-files',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/payments/payment-file-list.tsx')),
})
const paymentFile = createRoute({
  getParentRoute: () => root,
  path: '/payment-files/$paymentFileGuid',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/payments/payment-file-page.tsx')),
})
const suspense = createRoute({
  getParentRoute: () => root,
  path: '/suspense',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/payments/suspense-list.tsx')),
})
const payouts = createRoute({
  getParentRoute: () => root,
  path: '/payouts',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/payouts/payout-list.tsx')),
})
const newPayout = createRoute({
  getParentRoute: () => root,
  path: '/payouts/new',
  component: lazyRouteComponent(() => import('./screens/payouts/payout-new.tsx')),
})
const payout = createRoute({
  getParentRoute: () => root,
  path: '/payouts/$payoutBatchGuid',
  component: lazyRouteComponent(() => import('./screens/payouts/payout-page.tsx')),
})
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/administration/settings-page.tsx')),
})
const rates = createRoute({
  getParentRoute: () => root,
  path: '/rates',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/rates-page.tsx')),
})
const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/access-page.tsx')),
})
const fields = createRoute({
  getParentRoute: () => root,
  path: '/fields',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/fields-page.tsx')),
})
const lookups = createRoute({
  getParentRoute: () => root,
  path: '/lookups',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/lookup-value-list.tsx')),
})
const holdings = createRoute({
  getParentRoute: () => root,
  path: '/holdings',
  validateSearch: readHoldingSearch,
  component: lazyRouteComponent(() => import('./screens/administration/holding-list.tsx')),
})
const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: lazyRouteComponent(() => import('./screens/profile/profile-page.tsx')),
})
const form = createRoute({
  getParentRoute: () => root,
  path: '/forms/$entity/$type',
  validateSearch: ({ id, subId, name }: Record<string, unknown>): FormPlace => ({
    ...(typeof id === 'string' && { id }),
    ...(typeof subId === 'string' && { subId }),
    ...(typeof name === 'string' && { name }),
  }),
  component: lazyRouteComponent(() => import('./screens/form-page.tsx')),
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./screens/dashboard/dashboard.tsx')),
})
const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => import('./screens/reports/report-page.tsx')),
})
const payments = createRoute({
  getParentRoute: () => root,
  path: '/payments',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/payments/payment-list.tsx')),
})
const newPayment = createRoute({
  getParentRoute: () => root,
  path: '/payments/new',
  component: lazyRouteComponent(() => import('./screens/payments/payment-create.tsx')),
})
const plans = createRoute({
  getParentRoute: () => root,
  path: '/plans',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/plans/plan-list.tsx')),
})
const planPayments = createRoute({
  getParentRoute: () => root,
  path: '/plans/payments',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/plans/plan-payment-list.tsx')),
})
const onePlan = createRoute({
  getParentRoute: () => root,
  path: '/plans/$planGuid',
  component: lazyRouteComponent(() => import('./screens/plans/plan-page.tsx')),
})
const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/system/event-list.tsx')),
})

const routeTree = root.addChildren([
  home,
  worklist,
  debtors,
  newDebtor,
  debtor,
  editDebtor,
  plan,
  cases,
  newCase,
  oneCase,
  clients,
  newClient,
  client,
  paymentFiles,
  paymentFile,
  suspense,
  payouts,
  newPayout,
  payout,
  users,
  newUser,
  user,
  audit,
  outbox,
  system,
  jobs,
  jobCommands,
  webhooks,
  webhook,
  strategies,
  newStrategy,
  strategy,
  settings,
  rates,
  access,
  fields,
  lookups,
  holdings,
  profile,
  form,
  dashboard,
  reports,
  payments,
  newPayment,
  plans,
  planPayments,
  onePlan,
  events,
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
