import * as accessGroups from './access-groups.ts'
import * as addresses from './addresses.ts'
import * as allCases from './all-cases.ts'
import * as allPayments from './all-payments.ts'
import * as allPlans from './all-plans.ts'
import * as audit from './audit.ts'
import * as cases from './cases.ts'
import * as commands from './commands.ts'
import * as clients from './clients.ts'
import * as currentUser from './current-user.ts'
import * as dashboard from './dashboard.ts'
import * as documents from './documents.ts'
import * as debtors from './debtors.ts'
import * as events from './events.ts'
import * as extraFields from './extra-fields.ts'
import * as forms from './forms.ts'
import * as holdingLists from './holding-lists.ts'
import * as interestRates from './interest-rates.ts'
import * as items from './items.ts'
import * as lookups from './lookups.ts'
import * as lookupValues from './lookup-values.ts'
import * as jobs from './jobs.ts'
import * as logLevel from './log-level.ts'
import * as messages from './messages.ts'
import * as navigation from './navigation.ts'
import * as oauth2 from './oauth2.ts'
import * as oidc from './oidc.ts'
import type { Operation } from './operation.ts'
import * as ownSessions from './own-sessions.ts'
import * as passwordReset from './password-reset.ts'
import * as paymentFiles from './payment-files.ts'
import * as paymentPlans from './payment-plans.ts'
import * as payouts from './payouts.ts'
import * as reports from './reports.ts'
import * as retention from './retention.ts'
import * as schedules from './schedules.ts'
import * as search from './search.ts'
import * as secondFactors from './second-factors.ts'
import * as services from './services.ts'
import * as sessions from './sessions.ts'
import * as statutoryFees from './statutory-fees.ts'
import * as strategies from './strategies.ts'
import * as system from './system.ts'
import * as userFields from './user-fields.ts'
import * as users from './users.ts'
import * as timeline from './timeline.ts'
import * as uploads from './uploads.ts'
import * as webhooks from './webhooks.ts'

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

const modules = [
  sessions,
  oauth2,
  oidc,
  ownSessions,
  secondFactors,
  passwordReset,
  system,
  lookups,
  navigation,
  search,
  forms,
  commands,
  schedules,
  logLevel,
  jobs,
  audit,
  messages,
  users,
  accessGroups,
  currentUser,
  items,
  debtors,
  addresses,
  extraFields,
  retention,
  documents,
  strategies,
  cases,
  services,
  events,
  webhooks,
  uploads,
  timeline,
  allCases,
  allPayments,
  allPlans,
  dashboard,
  clients,
  holdingLists,
  lookupValues,
  userFields,
  interestRates,
  paymentPlans,
  statutoryFees,
  paymentFiles,
  payouts,
  reports,
] as const

type ExportOf<M> = M extends unknown ? M[keyof M] : never
/** The union of all operations with their exact types, which is what the typed client is made of. */
export type DeclaredOperation = Extract<ExportOf<(typeof modules)[number]>, Operation>

/** Every operation of the service. */
export const operations: readonly Operation[] = modules.flatMap((module) =>
  Object.values(module).filter(isOperation),
)
export const basePath = '/api/v1'
