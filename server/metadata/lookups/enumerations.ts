import { paymentFileFormats } from '../../../contract/treasury/payment-files.ts'
import { proposalReasons } from '../../../contract/treasury/suspense.ts'
/** The codes of each built-in lookup, in the order to show them. Their texts are `lookup.<lookup code>.<code>`. */
import { bulkRowStates, bulkStates } from '../../../contract/work/bulk-actions.ts'
import { userRoles } from '../../../contract/access/access.ts'
import { invitationStates } from '../../../contract/access/invitations.ts'
import { approvalActs, approvalEndReasons, approvalStatuses } from '../../../contract/access/approvals.ts'
import { fieldEntities, fieldTypes } from '../../../contract/access/user-fields.ts'
import { mfaTypes } from '../../../contract/access/users.ts'
import {
  forbearanceMeasures,
  objectionDecisions,
  objectionKinds,
  objectionMatters,
  objectionStatuses,
} from '../../../contract/cases/objections.ts'
import {
  lawCorrections,
  lawFindingKinds,
  lawFindingStatuses,
  lawObstacles,
} from '../../../contract/cases/law-reviews.ts'
import { documentKinds, letterStates } from '../../../contract/collection/documents.ts'
import { itemTypes } from '../../../contract/metadata/items.ts'
import {
  genders,
  juridicalTypes,
  notificationChannels,
  preferredChannels,
} from '../../../contract/parties/debtors.ts'
import { intervalTypes, paymentTypes } from '../../../contract/plans/payment-plan-inputs.ts'
import { commands } from '../../../contract/platform/commands.ts'
import { callOutcomes, promiseStatuses } from '../../../contract/work/calls.ts'
import { notificationKinds } from '../../../contract/platform/notifications.ts'
import { workReasons } from '../../../contract/work/work.ts'
import * as life from '../../../core/cases/case-lifecycle.ts'
import { consents, heldReasons } from '../../../core/law/contact.ts'
import { rateSeries } from '../../../core/interest/reference-rates.ts'
import { allocationOrderCodes } from '../../../core/ledger/allocation.ts'
import { feeDebtors, feeTypes } from '../../../core/ledger/statutory-fees.ts'
import { dayCountCodes } from '../../../core/interest/day-count.ts'
import { dueDateBases } from '../../../core/law/terms.ts'
import { claimKinds, interruptions } from '../../../core/limitation/limitation.ts'

const statuses = Object.entries(life.caseStatuses)

/** The statuses to which each sub-status belongs. A hold belongs to none: it can overlay any open status. */
export const statusesBySubStatus: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...statuses.flatMap(([, { subStatuses }]): readonly string[] => subStatuses), ...life.holds].map(
    (code) => [
      code,
      statuses
        .filter(([, { subStatuses }]) => (subStatuses as readonly string[]).includes(code))
        .map(([status]) => status),
    ],
  ),
)

export const enumerations = {
  juridicaltype: Object.keys(juridicalTypes),
  gender: Object.keys(genders),
  conversationnotificationchannel: Object.keys(notificationChannels),
  preferredchannel: preferredChannels,
  channelconsent: consents,
  contactreason: heldReasons,
  objectionmatter: objectionMatters,
  objectionkind: objectionKinds,
  objectionstatus: objectionStatuses,
  objectiondecision: objectionDecisions,
  lawfindingkind: lawFindingKinds,
  lawcorrection: lawCorrections,
  lawfindingstatus: lawFindingStatuses,
  lawobstacle: lawObstacles,
  forbearance: forbearanceMeasures,
  addresstype: ['LEGAL'],
  userrole: Object.keys(userRoles),
  approvalact: approvalActs,
  approvalstatus: approvalStatuses,
  approvalendreason: approvalEndReasons,
  mfatype: Object.keys(mfaTypes),
  invitation: invitationStates,
  itemtype: Object.keys(itemTypes),
  favoritetype: ['0', ...Object.keys(itemTypes)],
  caseservice: life.services,
  casestatus: life.caseStatusCodes,
  casesubstatus: Object.keys(statusesBySubStatus),
  holdreason: life.holds,
  closurecode: life.closureCodeList,
  debtorrole: life.debtorRoles,
  claimcomponent: ['cost', 'interest', 'principal'],
  allocationorder: allocationOrderCodes,
  interruption: interruptions,
  claimkind: claimKinds,
  daycount: dayCountCodes,
  duedatebasis: dueDateBases,
  feetype: feeTypes,
  debtorkind: feeDebtors.map((kind) => kind.toUpperCase()),
  rateseries: rateSeries.map(({ code }) => code),
  paymentplantype: ['1', '2', '3', '4', '5'],
  paymentplanactive: ['0', '1', '2'],
  paymentplanendreason: ['COMPLETED', 'BREACHED', 'CANCELLED'],
  intervaltype: Object.keys(intervalTypes),
  paymenttype: Object.keys(paymentTypes),
  command: commands.map(({ command }) => command),
  loglevel: Array.from({ length: 11 }, (_, level) => String(level)),
  workreason: workReasons,
  notificationkind: notificationKinds,
  calloutcome: callOutcomes,
  promisestatus: promiseStatuses,
  messagechannel: ['email', 'sms', 'letter'],
  letterstate: letterStates,
  letterkind: documentKinds,
  bankfileformat: paymentFileFormats,
  proposalreason: proposalReasons,
  bulkstate: bulkStates,
  bulkrowstate: bulkRowStates,
  fieldentity: fieldEntities,
  fieldtype: fieldTypes,
  displaytype: ['input', 'textarea', 'checkbox', 'select', 'typeahead', 'date', 'money', 'readonly'],
  personaldatatype: ['0', '1', '2', '3', '4', '5'],
} as const satisfies Record<string, readonly string[]>
export type EnumerationCode = keyof typeof enumerations

/** Lookups whose codes may be those of another lookup, with its texts. */
export const sharedTexts: Partial<Record<EnumerationCode, EnumerationCode>> = {
  objectiondecision: 'objectionstatus',
  casesubstatus: 'holdreason',
  favoritetype: 'itemtype',
}
