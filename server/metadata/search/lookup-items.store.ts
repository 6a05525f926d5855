/** Items for lookups: first by the beginnings of names, words and references, then by any part of them. */
import type { ItemDescription, ItemType } from '../../../contract/metadata/items.ts'
import { foldText } from '../../../core/text/fold-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleItems } from './items.scope.ts'
import { findByLexemes } from './found-items.store.ts'
import { compactText, lexeme, firstWords, wholeName, wordsQuestion } from './lexemes.ts'

export type LookupItem = Pick<ItemDescription, 'guid' | 'primaryDescription' | 'secondaryDescription'>

interface Wanted {
  type: ItemType
  text: string
  most: number
}

/** Shorter texts match only at the beginning of a word: nearly every name contains them somewhere. */
const partMin = 3

export async function findLookupItems(db: Db, caller: Caller, wanted: Wanted): Promise<LookupItem[]> {
  const text = wanted.text.trim()
  if (text === '') return listFirst(db, caller, wanted)
  const begun = await findByLexemes(
    db,
    caller,
    buildQuestions(wanted.type, text).map((question) => ({
      text: question,
      step: 0,
      ofDebtors: wanted.type === 3,
    })),
    { each: wanted.most, enough: wanted.most },
  )
  const words = firstWords(text).length
  // Several words with a match are a full name, so a search for parts adds nothing.
  const isFound = begun.length >= wanted.most || (begun.length > 0 && words > 1)
  if (isFound || words === 0 || text.length < partMin) return begun
  const known = new Set(begun.map(({ guid }) => guid))
  const parts = await findByPart(db, caller, { ...wanted, text })
  return [...begun, ...parts.filter(({ guid }) => !known.has(guid))]
}

function buildQuestions(type: ItemType, text: string): string[] {
  const [reference, words] = [compactText(text), firstWords(text)]
  return [
    ...(reference === '' ? [] : [lexeme(type, 'r', reference), lexeme(type, 'r', reference, true)]),
    lexeme(type, 'n', wholeName(text), true),
    ...(words.length === 0 ? [] : [wordsQuestion(type, words, 'last')]),
  ]
}

const columns = `i.guid, i.type, i.primary_description as "primaryDescription", i.secondary_description as "secondaryDescription"`

/** Sorted by name; debtors by the index of their own table. */
async function listFirst(db: Db, caller: Caller, { type, most }: Wanted): Promise<LookupItem[]> {
  const scope = visibleItems(caller).at(3)
  const inOrder =
    type === 3
      ? `debtor o join item i on i.guid = o.id where i.type = $1 and ${scope.text}
         order by o.full_name collate fordra_order nulls first, o.id`
      : `item i where i.type = $1 and i.type <> 3 and ${scope.text} order by i.primary_description collate fordra_order, i.guid`
  return runStatement<LookupItem>(db, `select ${columns} from ${inOrder} limit $2`, [
    type,
    most,
    ...scope.parameters,
  ])
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`)

/** Matches any part. Not prepared, so that the planner can choose trigram indexes for the given text. */
async function findByPart(db: Db, caller: Caller, { type, text, most }: Wanted): Promise<LookupItem[]> {
  const scope = visibleItems(caller).at(4)
  const byDigits = /^\d+$/.test(text)
  const found =
    type === 3
      ? `select o.id from debtor o where ${byDigits ? 'o.debtor_reference like $2' : 'o.full_name ilike $2'}`
      : `select o.guid from item o where o.type <> 3 and o.type = ${type}
         and fold_text(o.primary_description || ' ' || coalesce(o.secondary_description, '')) like $2`
  const pattern = `%${escapeLike(type === 3 ? text : foldText(text))}%`
  return runStatement<LookupItem>(
    db,
    `select ${columns} from item i where i.guid in (${found}) and i.type = $1 and ${scope.text} limit $3`,
    [type, pattern, most, ...scope.parameters],
  )
}
