/** Which letters the law of a case allows now, and by which channels they can go. */
import { letterKinds, type DocumentKind } from '../../../contract/collection/documents.ts'
import type { LetterOption, LetterOptions } from '../../../contract/collection/letters.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import type { LegalCase } from '../../../core/law/legal-case.ts'
import { judge } from '../../../core/law/permissions.ts'
import type { Verdict } from '../../../core/law/verdict.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { findFeeTables, findLegalCases } from '../../ledger/legal-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { chooseChannel, findChannels } from './letter-channels.ts'
import { findLetterAnswer, type LetterAnswer } from './answer-letter.ts'
import { findLetterPlan, type LetterPlan } from './plan-letter.ts'
import { ownLanguage, readMatter } from './write-letter.ts'

/** Letters that are nothing without a date to pay by. */
export const kindsWithDeadline: ReadonlySet<DocumentKind> = new Set(['notice', 'demand', 'legal'])
/** The days to pay that are proposed where the law asks for none. */
const usualDays = 10

export interface LetterLaw {
  one: LegalCase
  judge(kind: DocumentKind, dueDays?: number | null): Verdict
}

/** Asks the law about the letters of one case. */
export async function findLetterLaw(db: Db, caseGuid: string, date: string): Promise<LetterLaw> {
  const one = (await findLegalCases(db, [caseGuid], date)).get(caseGuid)!
  const fees = (await findFeeTables(db, [one.country], date))(one.country)
  return {
    one,
    judge: (kind, dueDays) =>
      judge(one, { action: `letter:${kind}`, date, ...(dueDays !== undefined && { dueDays }) }, fees),
  }
}

/** Throws a 404 for a case that the debtor has no part in, or that the caller may not see. */
export async function findLetterOptions(
  db: Db,
  caller: Caller,
  {
    debtorGuid,
    caseGuid: wantedCase,
    planGuid,
    objectionGuid,
  }: { debtorGuid: string; caseGuid: string | null; planGuid: string | null; objectionGuid: string | null },
  date: string,
): Promise<LetterOptions> {
  const plan = planGuid === null ? null : await findLetterPlan(db, caller, { debtorGuid, planGuid })
  const answer = objectionGuid === null ? null : await findLetterAnswer(db, caller, objectionGuid)
  const caseGuid = answer?.caseGuid ?? wantedCase
  const matter = await readMatter(db, caller, { debtorGuid, caseGuid, plan }, null)
  if (caseGuid !== null && matter.cases.length === 0) throw notFound('case')
  const clientGuids = matter.cases.map(({ shown }) => shown.clientGuid)
  const findOptions = await findChannels(db, { debtorGuid, caseGuid, clientGuids, date }, caller.language)
  const law = caseGuid === null ? null : await findLetterLaw(db, caseGuid, date)
  const isClosed = matter.cases[0]?.shown.status === 'CLOSED'
  return {
    languageCode: ownLanguage(matter.parties),
    letters: listKinds({ plan, answer }, law === null || isClosed).map((kind): LetterOption => {
      const channels = findOptions(kind)
      return {
        kind,
        ...describeLaw(law, kind, caller),
        dueDate: proposeDueDate(law, kind, date),
        channel: chooseChannel(channels)?.channel ?? null,
        channels: channels.map(({ option }) => option),
      }
    }),
  }
}

function listKinds(
  { plan, answer }: { plan: LetterPlan | null; answer: LetterAnswer | null },
  isStatement: boolean,
): readonly DocumentKind[] {
  if (plan !== null) return ['plan']
  if (answer !== null) return ['answer']
  return isStatement ? ['statement'] : letterKinds
}

function describeLaw(law: LetterLaw | null, kind: DocumentKind, { language }: Caller) {
  const free = { allowed: true, reason: null, rule: null, from: null }
  if (law === null || kind === 'statement' || kind === 'answer') return free
  const verdict = law.judge(kind)
  if (verdict.allowed) return free
  return {
    allowed: false,
    reason: describeRefusal(verdict, { reader: findReader(language), currency: law.one.currency }),
    rule: verdict.rule?.code ?? null,
    from: verdict.from && toMidnight(verdict.from),
  }
}

function proposeDueDate(law: LetterLaw | null, kind: DocumentKind, date: string): string | null {
  if (law === null || kind === 'statement' || kind === 'surveillance' || kind === 'answer') return null
  const { reason, rule } = law.judge(kind, 0)
  const days = reason === 'deadline' && rule?.subject === 'deadline' ? rule.days : usualDays
  return toMidnight(addDays(date, days))
}
