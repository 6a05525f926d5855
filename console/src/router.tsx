/**
 * The routes of the console. A screen's code is loaded on first visit or hover. docs/extend.md says how to add one.
 */
import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { FormPlace } from './forms/form-place.ts'
import { readListSearch } from './lists/list-search.ts'
import { root } from './root-route.tsx'
import { readCaseSearch } from './screens/cases/case-search.ts'
import Home from './screens/home/home.tsx'
import { readHoldingSearch } from './screens/administration/holding-search.ts'
import { readReportSearch } from './screens/reports/report-search.ts'
import { readWorkSearch } from './screens/work/work-search.ts'
import { NotFound } from './shell/not-found.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'
import { withLaterTexts } from './texts/with-later-texts.ts'

type Load = () => Promise<{ default: ComponentType }>

const screen = <const Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })

/** A screen that keeps something in the address besides its path. */
const searchScreen = <const Path extends string, Search extends object>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  load: Load,
) => createRoute({ getParentRoute: () => root, path, validateSearch, component: lazyRouteComponent(load) })

/** A screen with a list, whose filter, order and page stay in the address. */
const listScreen = <const Path extends string>(path: Path, load: Load) =>
  searchScreen(path, readListSearch, load)

/** The start screen is part of the first file that a browser loads. */
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readWorkSearch,
  component: Home,
})

/** What the navigation of the service calls the first screen. */
const work = createRoute({
  getParentRoute: () => root,
  path: '/work',
  validateSearch: readWorkSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/', search, replace: true })
  },
})
const readFormPlace = ({ id, subId, name }: Record<string, unknown>): FormPlace => ({
  ...(typeof id === 'string' && { id }),
  ...(typeof subId === 'string' && { subId }),
  ...(typeof name === 'string' && { name }),
})

const routeTree = root.addChildren([
  home,
  work,
  listScreen('/worklist', () => import('./screens/home/worklist.tsx')),
  listScreen('/debtors', () => import('./screens/debtors/debtor-list.tsx')),
  screen('/debtors/new', () => import('./screens/debtors/debtor-create.tsx')),
  screen('/debtors/$debtorGuid', () => import('./screens/debtors/debtor-page.tsx')),
  screen('/debtors/$debtorGuid/edit', () => import('./screens/debtors/debtor-edit.tsx')),
  screen('/debtors/$debtorGuid/plan', () => import('./screens/plans/plan-workshop.tsx')),
  listScreen('/cases', () => import('./screens/cases/case-list.tsx')),
  screen('/cases/new', () => import('./screens/cases/case-create.tsx')),
  searchScreen('/cases/$caseGuid', readCaseSearch, () => import('./screens/cases/case-page.tsx')),
  listScreen('/clients', () => import('./screens/clients/client-list.tsx')),
  screen('/clients/new', () => import('./screens/clients/client-create.tsx')),
  listScreen('/clients/$clientGuid', () => import('./screens/clients/client-page.tsx')),
  listScreen('/payment-files', () => import('./screens/payments/payment-file-list.tsx')),
  listScreen('/payment-files/$paymentFileGuid', () => import('./screens/payments/payment-file-page.tsx')),
  listScreen('/objections', () => import('./screens/cases/objection-list.tsx')),
  listScreen('/approvals', () => import('./screens/administration/approval-list.tsx')),
  listScreen('/approvals/limits', () => import('./screens/administration/approval-limit-list.tsx')),
  listScreen('/law-findings', () => import('./screens/law/finding-list.tsx')),
  listScreen('/suspense', () => import('./screens/payments/suspense-list.tsx')),
  listScreen('/payouts', () => import('./screens/payouts/payout-list.tsx')),
  screen('/payouts/new', () => import('./screens/payouts/payout-new.tsx')),
  screen('/payouts/$payoutBatchGuid', () => import('./screens/payouts/payout-page.tsx')),
  listScreen('/notifications', () => import('./screens/notifications/notification-list.tsx')),
  screen('/profile', () => import('./screens/profile/profile-page.tsx')),
  screen('/dashboard', () => import('./screens/dashboard/dashboard.tsx')),
  searchScreen(
    '/reports',
    readReportSearch,
    withLaterTexts(() => import('./screens/reports/report-page.tsx')),
  ),
  listScreen('/payments', () => import('./screens/payments/payment-list.tsx')),
  screen('/payments/new', () => import('./screens/payments/payment-create.tsx')),
  listScreen('/plans', () => import('./screens/plans/plan-list.tsx')),
  listScreen('/plans/payments', () => import('./screens/plans/plan-payment-list.tsx')),
  listScreen('/promises', () => import('./screens/work/promise-list.tsx')),
  screen('/plans/$planGuid', () => import('./screens/plans/plan-page.tsx')),
  searchScreen('/forms/$entity/$type', readFormPlace, () => import('./screens/form-page.tsx')),
  listScreen('/users', () => import('./screens/users/user-list.tsx')),
  screen('/users/new', () => import('./screens/users/user-create.tsx')),
  screen('/users/$userGuid', () => import('./screens/users/user-page.tsx')),
  listScreen('/audit', () => import('./screens/system/audit-list.tsx')),
  listScreen('/outbox', () => import('./screens/system/outbox-list.tsx')),
  screen('/system', () => import('./screens/system/system-page.tsx')),
  screen('/import', () => import('./screens/imports/import-page.tsx')),
  listScreen('/jobs', () => import('./screens/administration/job-list.tsx')),
  screen('/jobs/commands', () => import('./screens/administration/command-list.tsx')),
  listScreen('/schedules', () => import('./screens/administration/schedule-list.tsx')),
  listScreen('/webhooks', () => import('./screens/administration/webhook-list.tsx')),
  listScreen('/webhooks/$webhookGuid', () => import('./screens/administration/webhook-page.tsx')),
  screen('/strategies', () => import('./screens/strategies/strategy-list.tsx')),
  screen('/strategies/new', () => import('./screens/strategies/strategy-new.tsx')),
  screen('/strategies/$strategyGuid', () => import('./screens/strategies/strategy-page.tsx')),
  screen(
    '/letter-templates',
    withLaterTexts(() => import('./screens/letter-templates/template-list.tsx')),
  ),
  screen(
    '/letter-templates/$letterTemplateGuid',
    withLaterTexts(() => import('./screens/letter-templates/template-page.tsx')),
  ),
  screen(
    '/trials',
    withLaterTexts(() => import('./screens/strategies/trial-list.tsx')),
  ),
  screen(
    '/trials/$trialGuid',
    withLaterTexts(() => import('./screens/strategies/trial-page.tsx')),
  ),
  screen(
    '/setup',
    withLaterTexts(() => import('./screens/setup/setup-page.tsx')),
  ),
  screen('/settings', () => import('./screens/administration/settings-page.tsx')),
  listScreen(
    '/rates',
    withLaterTexts(() => import('./screens/administration/rates-page.tsx')),
  ),
  listScreen(
    '/access',
    withLaterTexts(() => import('./screens/administration/access-page.tsx')),
  ),
  listScreen('/fields', () => import('./screens/administration/fields-page.tsx')),
  listScreen('/lookups', () => import('./screens/administration/lookup-value-list.tsx')),
  searchScreen('/holdings', readHoldingSearch, () => import('./screens/administration/holding-list.tsx')),
  listScreen('/events', () => import('./screens/system/event-list.tsx')),
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
