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

/**
 * The visible items that match one of the questions (`tsquery`), at most `most` per question. The materialised
 * expression forces the planner to use the index. Otherwise it would scan the table for common words and hope for early
 * matches. Rows are read from it only until there are enough.
 */
export async function findByLexemes(
  db: Db,
  caller: Caller,
  questions: readonly string[],
  most: number,
): Promise<FoundItem[]> {
  if (questions.length === 0) return []
  const scope = visibleItems(caller).at(3)
  const rows = await runStatement<FoundItem>(
    db,
    `select found.*, (q.position - 1)::int as question
     from unnest($1::text[]) with ordinality q (question, position), lateral (
       with matching as materialized (
         select i.guid, i.type, i.primary_description as "primaryDescription", i.secondary_description as "secondaryDescription"
         from item i where i.lexemes @@ q.question::tsquery and ${scope.text}
       ) select * from matching limit $2) found
     order by q.position`,
    [questions, most, ...scope.parameters],
    { prepare: true },
  )
  const seen = new Set<string>()
  return rows.filter(({ guid }) => !seen.has(guid) && seen.add(guid))
}
