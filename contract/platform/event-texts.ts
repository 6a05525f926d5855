/** What each type of event says: for the reference, the documentation, and the tests of what is stored. */
import type { EventType } from './event-types.ts'

export interface EventText {
  /** When one is written. */
  when: string
  /** The members of its `data`; an optional one has a question mark behind it. */
  data: readonly string[]
}

const changed = ['changed']
const ofAddress = ['debtorGuid', 'addressGuid']
const ofExtraField = ['debtorGuid', 'name']
const ofLife = ['caseGuid', 'status', 'subStatus', 'closureCode']
const ofPlan = ['debtorGuid', 'paymentPlanGuid']
const ofStrategy = ['strategyGuid', 'strategy', 'strategyVersion']
const ofJob = ['jobId', 'kind', 'name']
const ofService = ['service', 'jobId', 'debtorGuid?', 'userGuid?']

/** A record that is made, changed and deleted by its form. */
function textsOf<E extends string>(entity: E, what: string, guid: string) {
  const texts: Record<string, EventText> = {
    [`${entity}.created`]: { when: `${what} was made.`, data: [guid] },
    [`${entity}.updated`]: { when: `Members of ${lower(what)} changed.`, data: [guid, ...changed] },
    [`${entity}.deleted`]: { when: `${what} was deleted.`, data: [guid] },
  }
  return texts as Record<`${E}.${'created' | 'updated' | 'deleted'}`, EventText>
}
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const ofDebtors = {
  'debtor.created': { when: 'A debtor was registered or imported.', data: ['debtorGuid'] },
  'debtor.updated': { when: 'Members of a debtor changed.', data: ['debtorGuid', ...changed] },
  'debtor.document_created': {
    when: 'A letter to the debtor was written.',
    data: ['debtorGuid', 'documentGuid', 'kind', 'caseGuid?'],
  },
  'debtor.document_deleted': {
    when: 'A letter was deleted.',
    data: ['debtorGuid', 'documentGuid', 'kind'],
  },
  'address.created': { when: 'An address was added.', data: ofAddress },
  'address.updated': {
    when: 'Members of an address changed, or it became or ceased to be the default one.',
    data: [...ofAddress, ...changed],
  },
  'address.deleted': { when: 'An address was deleted.', data: ofAddress },
  'extrafield.created': { when: 'An extra field was added.', data: ofExtraField },
  'extrafield.updated': {
    when: 'An extra field was changed.',
    data: [...ofExtraField, ...changed],
  },
  'extrafield.deleted': { when: 'An extra field was deleted.', data: ofExtraField },
} satisfies Partial<Record<EventType, EventText>>

const ofCases = {
  'case.registered': {
    when: 'A case was registered or imported.',
    data: ['caseGuid', 'caseNumber', 'clientGuid', 'debtorGuid'],
  },
  'case.updated': { when: 'Members of a case changed.', data: ['caseGuid', ...changed] },
  'case.status_changed': { when: 'A case got another status or sub-status.', data: ofLife },
  'case.held': { when: 'A case was put on hold, or is held for another reason.', data: ofLife },
  'case.resumed': { when: 'A case on hold goes on.', data: ofLife },
  'case.closed': { when: 'A case was closed: by hand, or because it was paid.', data: ofLife },
  'case.reopened': { when: 'A closed case was opened again.', data: ofLife },
  'case.debtor_added': {
    when: 'A further debtor was added to a case.',
    data: ['caseGuid', 'debtorGuid', 'debtorRole'],
  },
  'case.debtor_removed': { when: 'A debtor was taken off a case.', data: ['caseGuid', 'debtorGuid'] },
  'case.fee_added': { when: 'A fee was booked on a case.', data: ['caseGuid'] },
  'case.written_off': { when: 'A part of a case was written off.', data: ['caseGuid'] },
  'case.credit_refunded': { when: 'Credit of a case was paid back to the debtor.', data: ['caseGuid'] },
  'case.credit_used': { when: 'Credit of a case was used for what it owes.', data: ['caseGuid'] },
  'case.terms_changed': {
    when: 'A case got other terms: interest, allocation order or tolerance.',
    data: ['caseGuid', 'tolerance?'],
  },
  'case.interest_corrected': {
    when: 'Interest was booked anew after a correction of a reference rate.',
    data: ['caseGuid', 'series'],
  },
  'case.limitation_interrupted': {
    when: 'Something was noted that interrupts the limitation of a claim.',
    data: ['caseGuid', 'interruption', 'date'],
  },
  'case.step_taken': {
    when: 'A step of a collection strategy was taken.',
    data: ['caseGuid', 'strategy', 'step'],
  },
  'invoice.created': { when: 'An invoice was added to a case.', data: ['caseGuid', 'invoiceGuid'] },
  'invoice.credited': { when: 'An invoice was credited.', data: ['caseGuid', 'invoiceGuid'] },
} satisfies Partial<Record<EventType, EventText>>

const ofMoney = {
  'payment.registered': {
    when: 'A payment was registered; one for each case that it is shared out on.',
    data: ['caseGuid', 'paymentGuid', 'valueDate', 'toThirdParty'],
  },
  'payment.allocated': {
    when: 'A payment was shared out on principal, interest and cost, for the first time or anew.',
    data: ['caseGuid', 'paymentGuid', 'valueDate', 'minorAmounts'],
  },
  'payment.reversed': {
    when: 'A payment was reversed.',
    data: ['caseGuid', 'paymentGuid', 'bounced'],
  },
  'paymentplan.proposed': { when: 'A payment plan was made.', data: ofPlan },
  'paymentplan.activated': {
    when: 'A payment plan became active; again, when what had ended it was undone.',
    data: [...ofPlan, 'again?'],
  },
  'paymentplan.updated': {
    when: 'Payments of a plan were changed.',
    data: [...ofPlan, ...changed],
  },
  'paymentplan.instalment_missed': {
    when: 'A payment of a plan did not come within its days of grace.',
    data: [...ofPlan, 'paymentNo', 'dueDate'],
  },
  'paymentplan.breached': { when: 'A plan ended: too many payments missed.', data: [...ofPlan, 'endReason'] },
  'paymentplan.completed': { when: 'A plan ended: all was paid.', data: [...ofPlan, 'endReason'] },
  'paymentplan.cancelled': { when: 'A plan was cancelled.', data: [...ofPlan, 'endReason'] },
  'suspense.allocated': { when: 'Money in suspense was placed on cases.', data: ['suspenseGuid'] },
  'suspense.refunded': { when: 'Money in suspense was paid back.', data: ['suspenseGuid'] },
  'suspense.returned': {
    when: 'Money is in suspense again: the payment made of it was reversed.',
    data: ['suspenseGuid'],
  },
  'paymentfile.received': {
    when: 'A file of the bank was taken in.',
    data: ['paymentFileGuid', 'format', 'entries'],
  },
  'paymentfile.posted': {
    when: 'All entries of a file of the bank are booked or in suspense.',
    data: ['paymentFileGuid', 'booked', 'suspended'],
  },
  'payout.created': {
    when: 'Payouts to clients were booked.',
    data: ['payoutBatchGuid', 'currencyCode'],
  },
} satisfies Partial<Record<EventType, EventText>>

const ofRecords = {
  ...textsOf('note', 'A note', 'noteGuid'),
  ...textsOf('client', 'A client', 'clientGuid'),
  'client.terms_changed': {
    when: 'A client got other terms: of its cases or of its payment plans.',
    data: ['clientGuid', ...changed],
  },
  ...textsOf('thirdparty', 'A third party', 'thirdPartyGuid'),
  ...textsOf('account', 'An account', 'accountGuid'),
  ...textsOf('customer', 'A customer', 'customerGuid'),
  ...textsOf('purchase', 'A purchase', 'purchaseGuid'),
  ...textsOf('object', 'An object', 'objectGuid'),
  'user.created': { when: 'A user was made.', data: ['userGuid'] },
  'user.updated': { when: 'Members of a user changed.', data: ['userGuid', ...changed] },
  'user.linked': {
    when: 'A user signed in through the outside provider for the first time.',
    data: ['userGuid', 'issuer'],
  },
  ...textsOf('accessgroup', 'An access group', 'accessGroupGuid'),
  'party.created': {
    when: 'The agency itself was made, or a client by the import or with the demo data.',
    data: ['partyGuid', 'partyReferenceCode'],
  },
} satisfies Partial<Record<EventType, EventText>>

const ofInstallation = {
  'service.completed': { when: 'A custom service ended well.', data: ofService },
  'service.failed': { when: 'A custom service failed.', data: ofService },
  'job.completed': { when: 'A job ended well.', data: ofJob },
  'job.failed': { when: 'A job failed with its last attempt.', data: ofJob },
  'job.cancelled': { when: 'A job was cancelled.', data: ofJob },
  'strategy.created': { when: 'A collection strategy was made.', data: ofStrategy },
  'strategy.updated': { when: 'A collection strategy got another version.', data: ofStrategy },
  'strategy.deleted': { when: 'A collection strategy was deleted.', data: ofStrategy },
  'webhook.created': { when: 'A webhook was made.', data: ['webhookGuid'] },
  'webhook.updated': { when: 'A webhook was changed.', data: ['webhookGuid'] },
  'webhook.deleted': { when: 'A webhook was deleted.', data: ['webhookGuid'] },
  'schedule.created': { when: 'A schedule was made.', data: ['scheduleGuid'] },
  'schedule.updated': { when: 'A schedule was changed.', data: ['scheduleGuid'] },
  'schedule.deleted': { when: 'A schedule was deleted.', data: ['scheduleGuid'] },
  ...textsOf('field', 'A field of the installation’s own', 'fieldGuid'),
  ...textsOf('lookupvalue', 'A lookup value', 'lookupValueGuid'),
  'interestrate.set': { when: 'A reference rate was added or corrected.', data: ['series', 'from'] },
  'interestrate.removed': { when: 'A reference rate was removed.', data: ['series', 'from'] },
  'statutoryfee.set': { when: 'A statutory fee was added.', data: ['statutoryFeeGuid', ...changed] },
  'statutoryfee.changed': { when: 'A statutory fee was corrected.', data: ['statutoryFeeGuid', ...changed] },
  'statutoryfee.removed': { when: 'A statutory fee was removed.', data: ['statutoryFeeGuid', ...changed] },
  'systemsettings.updated': { when: 'Settings of the installation changed.', data: changed },
  'systemdate.set': { when: 'The business date was set, or follows the clock again.', data: ['from', 'to'] },
} satisfies Partial<Record<EventType, EventText>>

export const eventTexts: Readonly<Record<EventType, EventText>> = {
  ...ofDebtors,
  ...ofCases,
  ...ofMoney,
  ...ofRecords,
  ...ofInstallation,
}
