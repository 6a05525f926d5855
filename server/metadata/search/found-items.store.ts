import { runStatement } from '../../platform/database/statement.ts'
import type { ItemType } from '../../../contract/metadata/items.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleItems } from './items.scope.ts'

export interface FoundItem {
  guid: string
  type: ItemType
  primaryDescription: string
  secondaryDescription: string | null
  /** The position of the first question that found it. */
  question: number
}

/** How many items to find: `each` at most per question, and none by a further step once `enough` are found. */
export interface Wanted {
  each: number
  enough: number
}

/**
 * The visible items that match one of the questions (`tsquery`). Questions come in steps, the best first: while a step
 * finds enough, PostgreSQL does not look for the next, which would weigh common words one by one.
 */
export async function findByLexemes(
  db: Db,
  caller: Caller,
  steps: readonly (readonly string[])[],
  wanted: Wanted,
): Promise<FoundItem[]> {
  const questions = steps.flat()
  if (questions.length === 0) return []
  const scope = visibleItems(caller).at(3)
  const numbers = steps.flatMap((step, number) => step.map(() => number))
  const rows = await runStatement<FoundItem>(
    db,
    writeSteps(steps.length, scope.text, wanted),
    [questions, numbers, ...scope.parameters],
    { prepare: true },
  )
  const seen = new Set<string>()
  return rows.filter(({ guid }) => !seen.has(guid) && seen.add(guid))
}

/**
 * The materialised expression within a step forces the planner to use the index. Otherwise it would scan the table for
 * common words and hope for early matches. Rows are read from it only until there are enough.
 * The planner sees neither the arrays nor other limits than these: so a connection keeps one plan.
 */
function writeSteps(count: number, visible: string, { each, enough }: Wanted): string {
  const names = Array.from({ length: count }, (_, number) => `step${number}`)
  const steps = names.map((name, number) => {
    const before = names.slice(0, number)
    const known = number === 0 ? '0' : `(select count(distinct guid) from (${union(before, 'guid')}) known)`
    return `${name} as materialized (
      select found.*, (q.position - 1)::int as question
      from unnest((select $1::text[]), (select $2::int[])) with ordinality q (question, step, position), lateral (
        with matching as materialized (
          select i.guid, i.type, i.primary_description as "primaryDescription", i.secondary_description as "secondaryDescription"
          from item i where i.lexemes @@ q.question::tsquery and ${visible}
        ) select * from matching limit ${each}) found
      where q.step = ${number} and ${known} < ${enough})`
  })
  return `with ${steps.join(', ')} select * from (${union(names, '*')}) found order by question`
}

const union = (from: readonly string[], select: string): string =>
  from.map((name) => `select ${select} from ${name}`).join(' union all ')
