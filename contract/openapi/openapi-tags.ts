/** The tags of the document: one for each resource, so that generators make a class of each. */
import type { Operation } from '../platform/operation.ts'

interface Tag {
  name: string
  description: string
  /** Matches the addresses of its operations. The first tag that matches is the operation's. */
  paths: RegExp
}

const forms = (...entities: string[]) => `/system/forms/(${entities.join('|')})/`

const tags: readonly Tag[] = [
  {
    name: 'Sign-in',
    description: 'Sign in by password, second factor, provider or API user; renew tokens and sign out.',
    paths: /^\/(auth|oauth2)\//,
  },
  {
    name: 'Approvals',
    description: 'Acts that need a second person above a limit.',
    paths: new RegExp(`^/approvals|^${forms('approvallimit')}`),
  },
  {
    name: 'Current user',
    description: 'The signed-in user: profile, settings, favorites, sessions and second factors.',
    paths: /^\/users\/(current|itemdescriptions)/,
  },
  {
    name: 'Custom services',
    description: 'The custom services of this installation.',
    paths: /\/services\/:/,
  },
  {
    name: 'Payment plans',
    description: 'Plans by which debtors pay in instalments.',
    paths: new RegExp(`/paymentplans|^${forms('paymentplan')}`),
  },
  {
    name: 'Documents',
    description: 'Letters, statements of account, and templates of letters.',
    paths: /\/(documents|letters|lettertemplate)/,
  },
  {
    name: 'Strategies',
    description: 'What happens to a case by itself, and when; trials of strategies.',
    paths: new RegExp(`strateg|^/trials|^${forms('strategy', 'trial')}`),
  },
  {
    name: 'Cases',
    description: 'Cases, their status, invoices, fees, limitation, objections and reviews by the law.',
    paths: new RegExp(
      `/case(s|overview)|^/objections|^/law-|^${forms('case', 'invoice', 'fee', 'writeoff', 'credit', 'limitation', 'objection')}`,
    ),
  },
  {
    name: 'Work',
    description:
      'What case handlers do next: the queue, who has which case, what was done, and actions on many records.',
    paths: /^\/(work|promises|bulkactions)/,
  },
  {
    name: 'Payments',
    description: 'Payments on cases, bank files and money without a known case.',
    paths: new RegExp(`^/(payments|payment-files|suspense)|^${forms('payment')}`),
  },
  { name: 'Payouts', description: 'Money that goes to clients.', paths: /^\/payouts/ },
  {
    name: 'Debtors',
    description: 'Debtors, their addresses, extra fields, notes, attached files and timeline.',
    paths: new RegExp(`^/debtors|^/attachments|^${forms('debtor', 'address', 'extrafield', 'note')}`),
  },
  {
    name: 'Clients',
    description: 'Clients, their terms and their records.',
    paths: new RegExp(
      `^/(clients|accounts|customers|objects|purchases|thirdparties)|^${forms('client', 'account', 'customer', 'object', 'purchase', 'thirdparty')}`,
    ),
  },
  {
    name: 'Users',
    description: 'Users, API users and access groups.',
    paths: new RegExp(`^/(users|accessgroups)|^${forms('user', 'accessgroup')}`),
  },
  {
    name: 'Events',
    description: 'What happened, in order, as a list, a stream or webhooks.',
    paths: new RegExp(`^/(events|webhooks)|^${forms('webhook')}`),
  },
  {
    name: 'Reports',
    description: 'Figures of the portfolio, reports and the audit trail.',
    paths: /^\/(dashboard|reports|audit)/,
  },
  {
    name: 'Jobs',
    description: 'Commands, schedules, background jobs and imported files.',
    paths: new RegExp(`^/(jobs|schedules|system/(commands|files))|^${forms('schedule')}`),
  },
  {
    name: 'Forms',
    description: 'Forms by entity and type, for programs that learn a form when they run.',
    paths: /^\/system\/(forms\/:|formdefinitions)/,
  },
  {
    name: 'Installation',
    description: 'Lookups, search, navigation, rates, fees, custom fields and settings.',
    paths: /^\/(system|search)/,
  },
]

/** The resource that an operation belongs to. Throws for an address that no tag covers. */
export function findTag({ path }: Operation): string {
  const tag = tags.find(({ paths }) => paths.test(path))
  if (!tag) throw new Error(`No tag covers ${path}: add it to openapi-tags.ts.`)
  return tag.name
}

export const tagObjects = tags.map(({ name, description }) => ({ name, description }))
