/** Proposes cases for money in suspense: by references, by the payer, and by the amount. */
import type { ProposalReason, SuspenseProposals } from '../../../contract/treasury/suspense.ts'
import { findByLexemes } from '../../metadata/search/found-items.store.ts'
import { joinAny, lexeme } from '../../metadata/search/lexemes.ts'
import { searchItems } from '../../metadata/search/search.routes.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { nearNumbers, proposeCases, readNumbers, type Candidate, type OpenCase } from './proposals.rules.ts'
import * as store from './proposals.store.ts'

const foundMax = 20

/** Cases by their numbers and references, or by those of their invoices. */
async function findByNumbers(db: Db, caller: Caller, numbers: readonly string[]): Promise<string[]> {
  if (numbers.length === 0) return []
  const question = joinAny(numbers.flatMap((one) => [lexeme(1, 'r', one), lexeme(5, 'r', one)]))
  const found = await findByLexemes(db, caller, [{ text: question, step: 0 }], {
    each: foundMax,
    enough: foundMax,
  })
  const invoices = found.flatMap(({ type, guid }) => (type === 5 ? guid : []))
  const cases = found.flatMap(({ type, guid }) => (type === 1 ? guid : []))
  return [...cases, ...(invoices.length > 0 ? await store.findInvoiceCases(db, invoices) : [])]
}

const findNamed = async (db: Db, caller: Caller, name: string): Promise<string[]> =>
  (await searchItems(db, caller, name, [3])).map(({ guid }) => guid)

/** None for money that is settled. */
export async function proposeForSuspense(
  db: Db,
  caller: Caller,
  suspenseGuid: string,
): Promise<SuspenseProposals> {
  const money = await store.findMoney(db, suspenseGuid)
  if (!money.isOpen) return { proposals: [] }
  const numbers = readNumbers([...money.references, money.message])
  const cases = await findByNumbers(db, caller, numbers)
  const near = cases.length > 0 ? [] : await findByNumbers(db, caller, numbers.flatMap(nearNumbers))
  const { payerName } = money
  const paid = payerName === null ? [] : await store.findPaidDebtors(db, payerName)
  const named = payerName === null ? [] : await findNamed(db, caller, payerName)
  const keys = { caseGuids: [...cases, ...near], debtorGuids: [...paid, ...named] }
  const known = await store.listOpenCases(db, keys, money.currencyCode)
  const debtors = [...new Set(known.map(({ debtorGuid }) => debtorGuid))]
  const open = await store.listOpenCases(db, { caseGuids: [], debtorGuids: debtors }, money.currencyCode)
  const reasonsFor = ({ caseGuid, debtorGuid }: OpenCase): ProposalReason[] => [
    ...(cases.includes(caseGuid) ? (['REFERENCE'] as const) : []),
    ...(near.includes(caseGuid) ? (['REFERENCE_NEAR'] as const) : []),
    ...(paid.includes(debtorGuid) ? (['PAYER_BEFORE'] as const) : []),
    ...(named.includes(debtorGuid) ? (['PAYER_NAME'] as const) : []),
  ]
  const candidates = open.map((one): Candidate => ({ ...one, reasons: reasonsFor(one) }))
  return {
    proposals: proposeCases(candidates, money.amount).map(({ reasons, parts }) => ({
      reasons,
      parts: parts.map(({ remaining, amount, ...part }) => ({
        ...part,
        remainingSum: remaining / money.minorPerUnit,
        amount: amount / money.minorPerUnit,
      })),
    })),
  }
}
