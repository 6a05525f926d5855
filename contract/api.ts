import * as accessGroups from './access/access-groups.ts'
import * as approvals from './access/approvals.ts'
import * as addresses from './parties/addresses.ts'
import * as allCases from './cases/all-cases.ts'
import * as allPayments from './payments/all-payments.ts'
import * as allPlans from './plans/all-plans.ts'
import * as attachments from './metadata/attachments.ts'
import * as audit from './insight/audit.ts'
import * as caseCosts from './insight/case-costs.ts'
import * as cases from './cases/cases.ts'
import * as bulk from './work/bulk-actions.ts'
import * as bulkLetters from './work/bulk-letters.ts'
import * as calls from './work/calls.ts'
import * as casePermissions from './cases/permissions.ts'
import * as demandGroups from './cases/demand-groups.ts'
import * as clientSecrets from './access/client-secrets.ts'
import * as commands from './platform/commands.ts'
import * as clients from './parties/clients.ts'
import * as currentUser from './access/current-user.ts'
import * as dashboard from './insight/dashboard.ts'
import * as dashboards from './insight/dashboards.ts'
import * as documents from './collection/documents.ts'
import * as debtors from './parties/debtors.ts'
import * as emailConfirmation from './access/email-confirmation.ts'
import * as events from './platform/events.ts'
import * as extraFields from './parties/extra-fields.ts'
import * as forms from './metadata/forms.ts'
import * as holdingLists from './parties/holding-lists.ts'
import * as letterTemplates from './collection/letter-templates.ts'
import * as letters from './collection/letters.ts'
import * as interestRates from './ledger/interest-rates.ts'
import * as items from './metadata/items.ts'
import * as lookups from './metadata/lookups.ts'
import * as lookupValues from './metadata/lookup-values.ts'
import * as jobs from './platform/jobs.ts'
import * as logLevel from './platform/log-level.ts'
import * as caseExplanation from './cases/case-explanation.ts'
import * as caseStatement from './cases/case-statement.ts'
import * as limitation from './cases/limitation.ts'
import * as lawReviews from './cases/law-reviews.ts'
import * as messages from './platform/messages.ts'
import * as navigation from './metadata/navigation.ts'
import * as assistants from './access/assistants.ts'
import * as oauth2 from './access/oauth2.ts'
import * as oidc from './access/oidc.ts'
import * as notificationEmails from './platform/notification-emails.ts'
import * as notifications from './platform/notifications.ts'
import * as objections from './cases/objections.ts'
import type { Operation } from './platform/operation.ts'
import * as ownSessions from './access/own-sessions.ts'
import * as passwordReset from './access/password-reset.ts'
import * as heldPaymentFiles from './treasury/held-payment-files.ts'
import * as paymentFiles from './treasury/payment-files.ts'
import * as suspense from './treasury/suspense.ts'
import * as paymentPlans from './plans/payment-plans.ts'
import * as payouts from './treasury/payouts.ts'
import * as promises from './work/promises.ts'
import * as promisePerformance from './insight/promise-performance.ts'
import * as recovery from './insight/recovery.ts'
import * as reports from './insight/reports.ts'
import * as retention from './parties/retention.ts'
import * as schedules from './platform/schedules.ts'
import * as search from './metadata/search.ts'
import * as secondFactors from './access/second-factors.ts'
import * as services from './integration/services.ts'
import * as sessions from './access/sessions.ts'
import * as setupSteps from './insight/setup-steps.ts'
import * as statutoryFees from './ledger/statutory-fees.ts'
import * as strategies from './collection/strategies.ts'
import * as strategySimulation from './collection/strategy-simulation.ts'
import * as trials from './collection/trials.ts'
import * as system from './metadata/system.ts'
import * as userFields from './access/user-fields.ts'
import * as users from './access/users.ts'
import * as passkeys from './access/passkeys.ts'
import * as timeline from './parties/timeline.ts'
import * as invitations from './access/invitations.ts'
import * as inspections from './integration/inspections.ts'
import * as uploads from './integration/uploads.ts'
import * as webhooks from './integration/webhooks.ts'
import * as work from './work/work.ts'

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

const modules = [
  sessions,
  oauth2,
  assistants,
  oidc,
  ownSessions,
  notifications,
  notificationEmails,
  secondFactors,
  emailConfirmation,
  passkeys,
  passwordReset,
  invitations,
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
  clientSecrets,
  accessGroups,
  approvals,
  currentUser,
  items,
  debtors,
  addresses,
  extraFields,
  retention,
  objections,
  lawReviews,
  limitation,
  caseStatement,
  documents,
  attachments,
  letters,
  letterTemplates,
  strategies,
  strategySimulation,
  trials,
  cases,
  caseExplanation,
  casePermissions,
  demandGroups,
  services,
  events,
  webhooks,
  inspections,
  uploads,
  timeline,
  allCases,
  allPayments,
  allPlans,
  dashboard,
  caseCosts,
  dashboards,
  promisePerformance,
  recovery,
  setupSteps,
  clients,
  holdingLists,
  lookupValues,
  userFields,
  interestRates,
  paymentPlans,
  statutoryFees,
  paymentFiles,
  heldPaymentFiles,
  suspense,
  payouts,
  reports,
  work,
  calls,
  promises,
  bulk,
  bulkLetters,
] as const

type ExportOf<M> = M extends unknown ? M[keyof M] : never
/** The union of all operations with their exact types, from which the typed client is derived. */
export type DeclaredOperation = Extract<ExportOf<(typeof modules)[number]>, Operation>

/** Every operation of the service. */
export const operations: readonly Operation[] = modules.flatMap((module) =>
  Object.values(module).filter(isOperation),
)
export const basePath = '/api/v1'
