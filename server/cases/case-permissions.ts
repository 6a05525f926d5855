/** What the law lets be done to a case on the business date, for the API and the console. */
import type { CasePermissions, Permission } from '../../contract/cases/permissions.ts'
import { letterKinds } from '../../contract/collection/documents.ts'
import type { Language } from '../../contract/platform/languages.ts'
import { toMidnight } from '../../core/calendar/date-time.ts'
import { citeRule, findPack } from '../../core/law/packs.ts'
import { judge, type Verdict } from '../../core/law/permissions.ts'
import { fromMinor } from '../../core/money/money.ts'
import { describeRefusal } from '../ledger/lawful-fees.ts'
import { findFeeTables, findLegalCases } from '../ledger/legal-cases.store.ts'
import type { Db } from '../platform/database/transaction.ts'

const letters = letterKinds.filter((kind) => kind !== 'statement').map((kind) => `letter:${kind}`)

/** The actions that a country's pack knows. Without a pack: the letters, and the two commonest fees. */
function listActions(country: string | null): string[] {
  const pack = findPack(country)
  const fees = (pack?.rules ?? []).flatMap((rule) => {
    if (rule.subject === 'ceiling' || rule.subject === 'scale') return rule.actions
    return rule.subject === 'others' ? rule.allowed.map((type) => `fee:${type}`) : []
  })
  return [...letters, ...new Set(fees.length > 0 ? fees : ['fee:reminder', 'fee:collectionDemand'])]
}

export async function findCasePermissions(
  db: Db,
  caseGuid: string,
  { date, language }: { date: string; language: Language },
): Promise<CasePermissions> {
  const one = (await findLegalCases(db, [caseGuid], date)).get(caseGuid)!
  const { country, currency } = one
  const fees = (await findFeeTables(db, [country], date))(country)
  const [row] = await db<{ since: string | null }[]>`
    select governing_from as since from debt_case where id = ${caseGuid}`
  const describe = (verdict: Verdict): Permission => ({
    action: verdict.action,
    allowed: verdict.allowed,
    reason: verdict.allowed ? null : describeRefusal(verdict, { language, currency }),
    reasonCode: verdict.reason,
    rule: verdict.rule?.code ?? null,
    source: verdict.rule && citeRule(country!, verdict.rule),
    verified: verdict.rule?.status === 'verified',
    overridable: verdict.rule?.override ?? false,
    from: verdict.from && toMidnight(verdict.from),
    highest: verdict.highest === null ? null : fromMinor(verdict.highest, currency),
  })
  return {
    caseGuid,
    date: toMidnight(date),
    governingCountry: country,
    governingFrom: row!.since && toMidnight(row!.since),
    asOf: findPack(country)?.asOf ?? null,
    currencyCode: currency,
    actions: listActions(country).map((action) => describe(judge(one, { action, date }, fees))),
  }
}
