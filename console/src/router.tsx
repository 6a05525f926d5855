/**
 * The routes of the console, including those of `administration-routes.tsx`. A screen's code is loaded on first visit
 * or hover. To add one: a route here or there, an entry in shell/navigation.ts, and a file in screens/ with the
 * component as its default export.
 */
import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { administrationRoutes } from './administration-routes.tsx'
import type { FormPlace } from './forms/form-place.ts'
import { readListSearch } from './lists/list-search.ts'
import { root } from './root-route.tsx'
import { readReportSearch } from './screens/reports/report-search.ts'
import { NotFound } from './shell/not-found.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/home/home.tsx')),
})
/** The service's navigation has this name for the first screen. */
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
const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: lazyRouteComponent(() => import('./screens/profile/profile-page.tsx')),
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
  profile,
  dashboard,
  reports,
  payments,
  newPayment,
  plans,
  planPayments,
  onePlan,
  form,
  ...administrationRoutes,
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
