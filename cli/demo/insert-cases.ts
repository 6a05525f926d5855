/** Writes the demo's cases into a database, through the functions that register and book any case. */
import { allAccessCodes } from '../../contract/access/access.ts'
import type { CasePlace } from '../../core/cases/case-lifecycle.ts'
import { changeClientTerms } from '../../server/ledger/client-terms.changes.ts'
import { findClientTerms, type ClientTerms } from '../../server/claims/client-terms.ts'
import { insertCases } from '../../server/cases/insert-cases.ts'
import { insertHistories } from '../../server/payments/insert-histories.ts'
import { changeClient } from '../../server/parties/clients/clients.changes.ts'
import { inTransaction, type Db } from '../../server/platform/database/transaction.ts'
import { makeId } from '../../server/platform/database/make-id.ts'
import type { Caller, Origin } from '../../server/platform/http/caller.ts'
import { demoTerms, generateCases, type DemoCase } from './cases.ts'
import type { CountryCode } from './country.ts'

const nobody = '00000000-0000-0000-0000-000000000000'
/** Whoever writes the demo. */
export const demoCaller: Caller = {
  userId: nobody,
  sessionId: '',
  partyId: nobody,
  role: 1,
  accessCodes: new Set(allAccessCodes),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}

const debtorsAtOnce = 100

/** Three cases with about four movements each for every debtor. Needs the demo agency's clients. */
export async function insertDemoCases(
  db: Db,
  debtors: readonly { debtorGuid: string; countryCode: CountryCode }[],
  { seed, origin }: { seed: number; origin: Origin },
): Promise<number> {
  const clients = await setDemoTerms(db, origin)
  let written = 0
  for (let first = 0; first < debtors.length; first += debtorsAtOnce) {
    const cases = debtors
      .slice(first, first + debtorsAtOnce)
      .flatMap(({ debtorGuid, countryCode: country }, index) =>
        [...generateCases({ seed, debtor: first + index, country, today: origin.businessDate })].flatMap(
          (demo) => {
            const client = clients.get(demo.clientCode)
            return client ? { demo, prepared: prepareDemoCase(demo, client, debtorGuid) } : []
          },
        ),
      )
    await inTransaction(db, async (tx) => {
      const made = await insertCases(
        tx,
        cases.map(({ prepared }) => prepared),
        { origin },
      )
      const stories = cases.map(({ demo }, index) => ({
        caseGuid: made[index]!.caseGuid,
        movements: demo.movements,
        place: { status: demo.status, subStatus: demo.subStatus } as CasePlace,
      }))
      await insertHistories(tx, demoCaller, stories, { origin })
    })
    written += cases.length
  }
  return written
}

/** Gives the demo's clients their terms, as the forms `client/edit` and `client/terms` do, and returns them by code. */
async function setDemoTerms(db: Db, origin: Origin): Promise<Map<string, ClientTerms>> {
  const clients = new Map<string, ClientTerms>()
  for (const { code, country, currency, points, account } of demoTerms) {
    const [party] = await db<{ id: string }[]>`select id from party where reference_code = ${code}`
    if (!party) continue
    const client = { clientGuid: party.id, ifMatch: undefined }
    const basics = { countryCode: country, currencyCode: currency }
    await changeClient(db, demoCaller, { ...client, input: basics }, origin)
    // The Finnish client's due dates stand on its invoices alone.
    const dueDateBasis = country === 'FI' ? 'INVOICE' : 'AGREED'
    const own = { interestSeries: country, interestPoints: points, bankAccountNo: account, dueDateBasis }
    await changeClientTerms(db, demoCaller, { ...client, input: own }, origin)
    const terms = await findClientTerms(db, party.id)
    if (terms) clients.set(code, terms)
  }
  return clients
}

export const prepareDemoCase = (demo: DemoCase, client: ClientTerms, debtorGuid: string) => ({
  client,
  debtorGuid,
  debtorRole: 'MAIN_DEBTOR' as const,
  service: demo.status === 'SURVEILLANCE' ? 'SURVEILLANCE' : 'COLLECTION',
  clientReferenceNumber: demo.clientReferenceNumber,
  currencyCode: demo.currencyCode,
  claimKind: null,
  reminderFeeAgreed: true,
  dueDateBasis: null,
  isInterestStartGiven: false,
  noticeDeadline: null,
  claim: {
    id: makeId(),
    principal: demo.principal,
    dueDate: demo.dueDate,
    interestFrom: demo.dueDate,
    terms: null,
  },
  invoiceNumber: demo.invoiceNumber,
  invoiceDate: demo.invoiceDate,
  interest: 0n,
  fee: demo.fee,
  terms: client.interest,
  description: demo.description,
  registrationDate: demo.registrationDate,
  sourceReference: null,
})
