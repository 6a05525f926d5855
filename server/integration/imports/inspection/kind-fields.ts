/** The fields of each kind of import: their schemas, what a file must have, and their labels. */
import type { TObject } from 'typebox'
import { UserInput } from '../../../../contract/access/users.ts'
import * as books from '../../../../contract/integration/book-imports.ts'
import { CaseRow, InvoiceRow, PaymentRow, PlanRow } from '../../../../contract/integration/case-imports.ts'
import { CaseHistoryRow } from '../../../../contract/integration/history-imports.ts'
import { PlanHistoryRow } from '../../../../contract/integration/plan-history-imports.ts'
import * as holdings from '../../../../contract/integration/holding-imports.ts'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import type { Language } from '../../../../contract/platform/languages.ts'
import { fieldLabel } from '../../../metadata/forms/labels.ts'

export interface KindFields {
  schema: TObject
  /** The entity whose labels the fields have. */
  entity: string
  /** The table of custom fields, if it takes them. */
  custom?: string
  /** One field of each group must be in a file. */
  required: readonly (readonly string[])[]
}

export const kindFields: Record<ImportedKind, KindFields> = {
  parties: {
    schema: books.PartyRow,
    entity: 'client',
    custom: 'client',
    required: [['partyReferenceCode'], ['name']],
  },
  users: { schema: UserInput, entity: 'user', custom: 'user', required: [['email'], ['partyReferenceCode']] },
  debtors: {
    schema: books.DebtorRow,
    entity: 'debtor',
    custom: 'debtor',
    required: [['lastname', 'fullName']],
  },
  cases: {
    schema: CaseRow,
    entity: 'case',
    custom: 'case',
    required: [['partyReferenceCode'], ['debtorReference'], ['principal']],
  },
  invoices: { schema: InvoiceRow, entity: 'invoice', required: [['caseReference'], ['principal']] },
  payments: {
    schema: PaymentRow,
    entity: 'payment',
    required: [['caseReference', 'paymentReferenceNumber', 'debtorReference'], ['amount']],
  },
  plans: { schema: PlanRow, entity: 'paymentplan', required: [['debtorReference'], ['paymentPlanType']] },
  thirdparties: {
    schema: holdings.ThirdPartyRow,
    entity: 'thirdparty',
    custom: 'thirdparty',
    required: [['partyReferenceCode'], ['name']],
  },
  accounts: {
    schema: holdings.AccountRow,
    entity: 'account',
    custom: 'account',
    required: [['partyReferenceCode'], ['accountNumber']],
  },
  customers: {
    schema: holdings.CustomerRow,
    entity: 'customer',
    custom: 'customer',
    required: [['partyReferenceCode'], ['customerNumber']],
  },
  purchases: {
    schema: holdings.PurchaseRow,
    entity: 'purchase',
    custom: 'purchase',
    required: [['partyReferenceCode'], ['purchaseNumber']],
  },
  objects: {
    schema: holdings.ObjectRow,
    entity: 'object',
    custom: 'object',
    required: [['partyReferenceCode'], ['objectNumber']],
  },
  casehistories: {
    schema: CaseHistoryRow,
    entity: 'case',
    custom: 'case',
    required: [['partyReferenceCode'], ['debtorReference'], ['registrationDate'], ['invoices']],
  },
  planhistories: {
    schema: PlanHistoryRow,
    entity: 'paymentplan',
    required: [['paymentPlanGuid'], ['debtorReference'], ['cases'], ['levelAmount']],
  },
}

/** Only these name the party of a user; elsewhere it is the client. */
const isClientCode = (what: ImportedKind, name: string) => name === 'partyReferenceCode' && what !== 'users'

export const importLabel = (language: Language, what: ImportedKind, name: string): string =>
  fieldLabel(language, isClientCode(what, name) ? 'client' : kindFields[what].entity, name)
