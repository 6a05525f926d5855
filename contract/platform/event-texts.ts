/** A description of each event type, for the reference, the documentation, and tests of stored events. */
import type { EventMemberName } from './event-data.ts'
import type { EventType } from './event-types.ts'

export interface EventText {
  /** When the event is written. */
  when: string
  /** The members of its `data`; optional ones end with a question mark. */
  data: readonly (EventMemberName | `${EventMemberName}?`)[]
}

const changed = ['changed'] as const
const addressData = ['debtorGuid', 'addressGuid'] as const
const extraFieldData = ['debtorGuid', 'name'] as const
const lifecycleData = ['caseGuid', 'status', 'subStatus', 'closureCode'] as const
const planData = ['debtorGuid', 'paymentPlanGuid'] as const
const strategyData = ['strategyGuid', 'strategy', 'strategyVersion'] as const
const jobData = ['jobId', 'kind', 'name'] as const
const approvalData = [
  'approvalGuid',
  'act',
  'caseGuid?',
  'clientGuid?',
  'objectionGuid?',
  'invoiceGuid?',
  'debtorGuid?',
] as const
const serviceData = ['service', 'jobId', 'debtorGuid?', 'userGuid?'] as const

/** A record that is created, changed and deleted by its form. */
function recordTexts<E extends string>(entity: E, what: string, guid: EventMemberName) {
  const texts: Record<string, EventText> = {
    [`${entity}.created`]: { when: `${what} was made.`, data: [guid] },
    [`${entity}.updated`]: { when: `Members of ${lower(what)} changed.`, data: [guid, ...changed] },
    [`${entity}.deleted`]: { when: `${what} was deleted.`, data: [guid] },
  }
  return texts as Record<`${E}.${'created' | 'updated' | 'deleted'}`, EventText>
}
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const debtorTexts = {
  'debtor.created': { when: 'A debtor was registered or imported.', data: ['debtorGuid'] },
  'debtor.updated': { when: 'Members of a debtor changed.', data: ['debtorGuid', ...changed] },
  'debtor.deleted': { when: 'A debtor on which nothing depended was deleted.', data: ['debtorGuid'] },
  'debtor.erased': {
    when: 'Personal data of a debtor was erased: in the debtor, its addresses, letters, extra fields and notes, and in the audit trail.',
    data: ['debtorGuid', 'erasureGuid', 'kinds'],
  },
  'debtor.document_created': {
    when: 'A letter to the debtor was written.',
    data: ['debtorGuid', 'documentGuid', 'kind', 'caseGuid?'],
  },
  'debtor.document_deleted': {
    when: 'A letter was deleted.',
    data: ['debtorGuid', 'documentGuid', 'kind'],
  },
  'address.created': { when: 'An address was added.', data: addressData },
  'address.updated': {
    when: 'Members of an address changed, or it became or ceased to be the default one.',
    data: [...addressData, ...changed],
  },
  'address.deleted': { when: 'An address was deleted.', data: addressData },
  'extrafield.created': { when: 'An extra field was added.', data: extraFieldData },
  'extrafield.updated': {
    when: 'An extra field was changed.',
    data: [...extraFieldData, ...changed],
  },
  'extrafield.deleted': { when: 'An extra field was deleted.', data: extraFieldData },
} satisfies Partial<Record<EventType, EventText>>

const caseTexts = {
  'case.registered': {
    when: 'A case was registered or imported.',
    data: ['caseGuid', 'caseNumber', 'clientGuid', 'debtorGuid'],
  },
  'case.updated': { when: 'Members of a case changed.', data: ['caseGuid', ...changed] },
  'case.status_changed': { when: 'A case got another status or sub-status.', data: lifecycleData },
  'case.held': { when: 'A case was put on hold, or the reason of its hold changed.', data: lifecycleData },
  'case.resumed': { when: 'A hold of a case ended.', data: lifecycleData },
  'case.closed': { when: 'A case was closed: by hand, or because it was paid.', data: lifecycleData },
  'case.reopened': { when: 'A closed case was reopened.', data: lifecycleData },
  'case.debtor_added': {
    when: 'A debtor was added to a case.',
    data: ['caseGuid', 'debtorGuid', 'debtorRole'],
  },
  'case.debtor_removed': { when: 'A debtor was removed from a case.', data: ['caseGuid', 'debtorGuid'] },
  'case.fee_added': { when: 'A fee was booked on a case.', data: ['caseGuid'] },
  'case.fee_reversed': {
    when: 'The fee of a letter was reversed: the letter is held with `heldReason`, or was withdrawn.',
    data: ['caseGuid', 'documentGuid', 'heldReason?'],
  },
  'case.written_off': { when: 'A part of a case was written off.', data: ['caseGuid'] },
  'case.credit_refunded': { when: 'Credit of a case was refunded to the debtor.', data: ['caseGuid'] },
  'case.credit_used': { when: 'Credit of a case was used to pay its debt.', data: ['caseGuid'] },
  'case.terms_changed': {
    when: 'The terms of a case changed: interest, allocation order or tolerance.',
    data: ['caseGuid', 'tolerance?'],
  },
  'case.interest_corrected': {
    when: 'Interest was recalculated after a correction of a reference rate.',
    data: ['caseGuid', 'series'],
  },
  'case.limitation_interrupted': {
    when: 'An interruption of the limitation of a claim was recorded.',
    data: ['caseGuid', 'interruption', 'date'],
  },
  'case.step_taken': {
    when: 'A step of a collection strategy was taken. `law` names the fees that the law left out, and why. `demandGroupGuid` is the demand group with which it was taken.',
    data: ['caseGuid', 'strategy', 'step', 'law?', 'demandGroupGuid?'],
  },
  'case.law_changed': {
    when: 'What the law of a case depends on changed: governing country, agreed reminder fee, notice.',
    data: ['caseGuid'],
  },
  'case.law_corrected': {
    when: 'An administrator confirmed a finding of a review by the law; its correction was booked.',
    data: ['caseGuid', 'lawFindingGuid', 'kind', 'correction', 'rule'],
  },
  'case.demand_changed': {
    when: 'A person took a case out of its demand group, or put it into one.',
    data: ['caseGuid', 'demandGroupGuid'],
  },
  'case.assigned': {
    when: 'The handler or the team of a case changed.',
    data: ['caseGuid', 'ownerGuid', 'teamGuid'],
  },
  'case.next_action_set': {
    when: 'The next action of a case was set or removed.',
    data: ['caseGuid', 'nextActionDate'],
  },
  'case.work_done': {
    when: 'Items of work on a case were marked as done.',
    data: ['caseGuid', 'reasons'],
  },
  'case.call_logged': {
    when: 'A call with the debtor was logged.',
    data: ['caseGuid', 'callGuid'],
  },
  'objection.recorded': {
    when: 'An objection, a complaint or hardship of a debtor was recorded.',
    data: ['caseGuid', 'objectionGuid', 'matter'],
  },
  'objection.answered': {
    when: 'The debtor got an answer to an objection, a complaint or hardship.',
    data: ['caseGuid', 'objectionGuid'],
  },
  'objection.decided': {
    when: 'An objection, a complaint or hardship was decided.',
    data: ['caseGuid', 'objectionGuid', 'matter', 'decision'],
  },
  'invoice.created': { when: 'An invoice was added to a case.', data: ['caseGuid', 'invoiceGuid'] },
  'invoice.credited': { when: 'An invoice was credited.', data: ['caseGuid', 'invoiceGuid'] },
} satisfies Partial<Record<EventType, EventText>>

const moneyTexts = {
  'payment.registered': {
    when: 'A payment was registered; one event for each case that it is divided among.',
    data: ['caseGuid', 'paymentGuid', 'valueDate', 'toThirdParty'],
  },
  'payment.allocated': {
    when: 'A payment was allocated to principal, interest and cost, for the first time or again.',
    data: ['caseGuid', 'paymentGuid', 'valueDate', 'minorAmounts'],
  },
  'payment.reversed': {
    when: 'A payment was reversed.',
    data: ['caseGuid', 'paymentGuid', 'bounced'],
  },
  'paymentplan.proposed': { when: 'A payment plan was created.', data: planData },
  'paymentplan.activated': {
    when: 'A payment plan became active; also when the reason for its end was reversed.',
    data: [...planData, 'again?'],
  },
  'paymentplan.updated': {
    when: 'Payments of a plan were changed.',
    data: [...planData, ...changed],
  },
  'paymentplan.instalment_missed': {
    when: 'A payment of a plan was not made within its days of grace.',
    data: [...planData, 'paymentNo', 'dueDate'],
  },
  'paymentplan.breached': {
    when: 'A plan ended because too many payments were missed.',
    data: [...planData, 'endReason'],
  },
  'paymentplan.completed': {
    when: 'A plan ended because everything was paid.',
    data: [...planData, 'endReason'],
  },
  'paymentplan.cancelled': { when: 'A plan was cancelled.', data: [...planData, 'endReason'] },
  'suspense.allocated': { when: 'Money in suspense was allocated to cases.', data: ['suspenseGuid'] },
  'suspense.refunded': { when: 'Money in suspense was refunded.', data: ['suspenseGuid'] },
  'suspense.divided': {
    when: 'Parts of money in suspense were allocated; the rest stays.',
    data: ['suspenseGuid'],
  },
  'suspense.returned': {
    when: 'Money is in suspense again because the payment made from it was reversed.',
    data: ['suspenseGuid'],
  },
  'paymentfile.received': {
    when: 'A bank file was received.',
    data: ['paymentFileGuid', 'format', 'entries'],
  },
  'paymentfile.posted': {
    when: 'All entries of a bank file are booked or in suspense.',
    data: ['paymentFileGuid', 'booked', 'suspended'],
  },
  'payout.created': {
    when: 'Payouts to clients were booked.',
    data: ['payoutBatchGuid', 'currencyCode'],
  },
} satisfies Partial<Record<EventType, EventText>>

const recordTypeTexts = {
  ...recordTexts('note', 'A note', 'noteGuid'),
  ...recordTexts('attachment', 'An attached file', 'attachmentGuid'),
  ...recordTexts('client', 'A client', 'clientGuid'),
  'client.terms_changed': {
    when: 'The terms of a client’s cases or payment plans changed.',
    data: ['clientGuid', ...changed],
  },
  ...recordTexts('thirdparty', 'A third party', 'thirdPartyGuid'),
  ...recordTexts('account', 'An account', 'accountGuid'),
  ...recordTexts('customer', 'A customer', 'customerGuid'),
  ...recordTexts('purchase', 'A purchase', 'purchaseGuid'),
  ...recordTexts('object', 'An object', 'objectGuid'),
  'user.created': { when: 'A user was created.', data: ['userGuid'] },
  'user.updated': { when: 'Members of a user changed.', data: ['userGuid', ...changed] },
  'user.deleted': { when: 'A user on which nothing depended was deleted.', data: ['userGuid'] },
  'user.linked': {
    when: 'A user signed in through the outside provider for the first time.',
    data: ['userGuid', 'issuer'],
  },
  ...recordTexts('accessgroup', 'An access group', 'accessGroupGuid'),
  ...recordTexts('approvallimit', 'A limit above which a second person is needed', 'approvalLimitGuid'),
  'approval.requested': { when: 'An act above a limit was requested.', data: approvalData },
  'approval.approved': {
    when: 'A second person approved a requested act, which was done.',
    data: approvalData,
  },
  'approval.rejected': { when: 'A second person rejected a requested act.', data: approvalData },
  'approval.withdrawn': { when: 'A requested act was withdrawn by its requester.', data: approvalData },
  'approval.ended': {
    when: 'A request ended without a decision: what it was about is no longer there.',
    data: approvalData,
  },
  'party.created': {
    when: 'The agency was created, or a client by the import or with the demo data.',
    data: ['partyGuid', 'partyReferenceCode'],
  },
} satisfies Partial<Record<EventType, EventText>>

const installationTexts = {
  'service.completed': { when: 'A custom service succeeded.', data: serviceData },
  'service.failed': { when: 'A custom service failed.', data: serviceData },
  'job.completed': { when: 'A job succeeded.', data: jobData },
  'job.failed': { when: 'The last attempt of a job failed.', data: jobData },
  'job.cancelled': { when: 'A job was cancelled.', data: jobData },
  'strategy.created': { when: 'A collection strategy was created.', data: strategyData },
  'strategy.updated': { when: 'A collection strategy got a new version.', data: strategyData },
  'strategy.deleted': { when: 'A collection strategy was deleted.', data: strategyData },
  ...recordTexts('lettertemplate', 'A template of a letter', 'letterTemplateGuid'),
  'lettertemplate.published': {
    when: 'A template got a version with which letters are written from now on.',
    data: ['letterTemplateGuid'],
  },
  'lettertemplate.withdrawn': {
    when: 'Letters are written without the template from now on.',
    data: ['letterTemplateGuid'],
  },
  ...recordTexts('dashboard', 'A saved dashboard', 'dashboardGuid'),
  ...recordTexts('trial', 'A trial of strategies', 'trialGuid'),
  'trial.started': { when: 'A trial of strategies began to assign debtors.', data: ['trialGuid'] },
  'trial.stopped': { when: 'A trial of strategies was stopped.', data: ['trialGuid'] },
  'webhook.created': { when: 'A webhook was created.', data: ['webhookGuid'] },
  'webhook.updated': { when: 'A webhook was changed.', data: ['webhookGuid'] },
  'webhook.pinged': {
    when: 'A webhook was made, or pinged on demand. Delivered to that webhook alone.',
    data: ['webhookGuid'],
  },
  'webhook.deleted': { when: 'A webhook was deleted.', data: ['webhookGuid'] },
  'schedule.created': { when: 'A schedule was created.', data: ['scheduleGuid'] },
  'schedule.updated': { when: 'A schedule was changed.', data: ['scheduleGuid'] },
  'schedule.deleted': { when: 'A schedule was deleted.', data: ['scheduleGuid'] },
  ...recordTexts('field', 'A custom field', 'fieldGuid'),
  ...recordTexts('lookupvalue', 'A lookup value', 'lookupValueGuid'),
  'interestrate.set': { when: 'A reference rate was added or corrected.', data: ['series', 'from'] },
  'interestrate.removed': { when: 'A reference rate was removed.', data: ['series', 'from'] },
  'statutoryfee.set': { when: 'A statutory fee was added.', data: ['statutoryFeeGuid', ...changed] },
  'statutoryfee.changed': { when: 'A statutory fee was corrected.', data: ['statutoryFeeGuid', ...changed] },
  'statutoryfee.removed': { when: 'A statutory fee was removed.', data: ['statutoryFeeGuid', ...changed] },
  'systemsettings.updated': { when: 'Settings of the installation changed.', data: changed },
  'systemdate.set': { when: 'The business date was set, or reset to the real date.', data: ['from', 'to'] },
} satisfies Partial<Record<EventType, EventText>>

export const eventTexts: Readonly<Record<EventType, EventText>> = {
  ...debtorTexts,
  ...caseTexts,
  ...moneyTexts,
  ...recordTypeTexts,
  ...installationTexts,
}
