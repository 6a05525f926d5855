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
  /** The position of the question that found it first. */
  question: number
}

/**
 * The items that the caller may see and that answer one of the questions (`tsquery`), at most `most` of each. The
 * common table expression is not for reading alone: the planner, which does not look into one, then always goes through
 * the index, where it would hope to come by enough rows of a common word early in the table; and rows are taken from it
 * only until there are enough.
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
