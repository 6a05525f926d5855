/** The routes of administration: users and access, strategies, rates, fields, jobs, the audit trail. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readListSearch } from './lists/list-search.ts'
import { root } from './root-route.tsx'
import { readHoldingSearch } from './screens/administration/holding-search.ts'

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
const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/administration/schedule-list.tsx')),
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
const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/system/event-list.tsx')),
})

export const administrationRoutes = [
  users,
  newUser,
  user,
  audit,
  outbox,
  system,
  jobs,
  jobCommands,
  schedules,
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
  events,
] as const
