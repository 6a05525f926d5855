/**
 * The costs of a letter, each by itself: a demand that gives them in one sum was criticised by supervisors, because the
 * debtor cannot see what is claimed (docs/domain/fees.md).
 */
import { locales, type Language } from '../../../contract/platform/languages.ts'
import { texts } from '../../../core/text/texts.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** Costs of a case as they were charged, in minor units. */
export interface LetterCost {
  /** A fee type, or null for costs of unstated kind that the case brought with it. */
  type: string | null
  minor: number
}

/** The costs charged on each case and not reversed, in the order in which they came. */
export async function findCosts(
  db: Db,
  caseGuids: readonly string[],
): Promise<Map<string, readonly LetterCost[]>> {
  const rows = await runStatement<LetterCost & { caseGuid: string }>(
    db,
    `select c.id as "caseGuid", x.type, x.minor::float8 as minor from debt_case c cross join lateral (
       select c.opening_fee_type as type, c.opening_fee - c.opening_court_costs as minor, 0 as rank
       union all select 'courtCost', c.opening_court_costs, 1
       union all select m.details ->> 'feeType', sum(m.amount), 2 + min(m.number) from movement m
         where m.case_id = c.id and m.kind = 'fee' and not exists (select from movement r where r.reverses_id = m.id)
         group by 1) x
     where c.id = any($1::uuid[]) and x.minor > 0 order by c.id, x.rank`,
    [[...caseGuids]],
    { prepare: true },
  )
  const found = Map.groupBy(rows, ({ caseGuid }) => caseGuid)
  return new Map([...found].map(([guid, costs]) => [guid, costs.map(({ type, minor }) => ({ type, minor }))]))
}

export interface CostedCase {
  caseNumber: string
  /** The costs that the letter demands of the case, in minor units. */
  fee: number
  costs: readonly LetterCost[]
}

/**
 * Each kind of cost with its amount. What was paid, credited or left out since is a line of its own, so that the lines
 * of a case sum to its costs.
 */
export function specifyCosts(
  cases: readonly CostedCase[],
  language: Language,
  write: (one: CostedCase, minor: number) => string,
): [string, string][] {
  const words = texts[language].letter
  const kinds: Record<string, string> = texts[language].lookup
  const nameKind = (type: string | null) =>
    type === null ? words.openingCosts : (kinds[`feetype.${type}`] ?? type)
  return cases.flatMap((one) => {
    if (one.fee === 0) return []
    const prefix = cases.length > 1 ? `${one.caseNumber} · ` : ''
    const byKind = Map.groupBy(one.costs, ({ type }) => nameKind(type).toLocaleLowerCase(locales[language]))
    const lines = [...byKind.values()].map((costs): [string, number] => [
      nameKind(costs[0]!.type),
      costs.reduce((sum, { minor }) => sum + minor, 0),
    ])
    const settled = one.fee - lines.reduce((sum, [, minor]) => sum + minor, 0)
    if (settled !== 0) lines.push([words.settledCosts, settled])
    return lines.map(([name, minor]): [string, string] => [prefix + name, write(one, minor)])
  })
}
