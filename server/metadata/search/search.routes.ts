import { itemAccess, type ItemType } from '../../../contract/metadata/items.ts'
import * as contract from '../../../contract/metadata/search.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { invalid } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findByLexemes, type FoundItem } from './found-items.store.ts'
import { addDetails } from './item-details.store.ts'
import { findWordCandidates } from './search-words.store.ts'
import * as rules from './search.rules.ts'

export function serveSearch(service: ServerContext): void {
  serve(service, contract.searchItems, async ({ db, caller, query }) => {
    const types = readTypes(query.types).filter((type) => caller.accessCodes.has(itemAccess[type]))
    return { body: { items: await findHits(db, caller, query.q, types) } }
  })
}

function readTypes(given: string | undefined): readonly ItemType[] {
  if (given === undefined || given === '') return rules.typeOrder
  const types = given.split(',').map((part) => part.trim())
  if (!types.every((type) => /^[1-9]$/.test(type)))
    throw invalid({ types: ['must be item types from 1 to 9, separated by commas, such as 1,3.'] })
  return [...new Set(types.map(Number))] as ItemType[]
}

/** The best items with their details, which are read for these alone. */
export const findHits = async (
  db: Db,
  caller: Caller,
  text: string,
  types: readonly ItemType[],
): Promise<contract.SearchHit[]> => addDetails(db, await searchItems(db, caller, text, types))

/**
 * Searches for the text as typed. Only if that does not fill the answer does it search for corrections: most searches
 * need one statement.
 */
export async function searchItems(
  db: Db,
  caller: Caller,
  text: string,
  types: readonly ItemType[],
): Promise<rules.RankedItem[]> {
  const most = contract.searchHitsMax
  const asked = [...rules.identifierQuestions(text, types), ...rules.nameQuestions(text, types)].toSorted(
    (a, b) => b.weight - a.weight,
  )
  const found = await findCandidates(db, caller, asked)
  const words = rules.nameWords(text)
  if (found.length >= most || words.length === 0 || types.length === 0)
    return rules.rankHits(found, asked, { text, meant: [], most })

  const meant = await findWordCandidates(db, words)
  const mistyped = rules.correctedQuestions(meant, types)
  const more = await findCandidates(db, caller, mistyped)
  const known = new Set(found.map(({ guid }) => guid))
  const added = more
    .filter(({ guid }) => !known.has(guid))
    .map((item) => ({ ...item, question: item.question + asked.length }))
  return rules.rankHits([...found, ...added], [...asked, ...mistyped], { text, meant, most })
}

/** Twice the size of the answer, so that the nearest items are among them. */
const candidatesPerQuestion = contract.searchHitsMax * 2

/**
 * In steps by weight: a question ranks what it finds above all that lighter questions find, so these are left out where
 * the heavier ones fill the answer. Names are mostly those of debtors, and few other items match: one step finds these.
 */
const findCandidates = (
  db: Db,
  caller: Caller,
  questions: readonly rules.SearchQuestion[],
): Promise<FoundItem[]> =>
  findByLexemes(
    db,
    caller,
    questions.map(({ text, type, weight, covered }) => ({
      text,
      step: rules.stepOfWeight(weight),
      ...(type === 3 ? { ofDebtors: true } : { group: rules.groupOfOthers(weight), covered }),
    })),
    { each: candidatesPerQuestion, enough: contract.searchHitsMax },
  )
