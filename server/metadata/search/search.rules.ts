/** What a search text may mean, and how well an item matches it. */
import type { ItemDescription, ItemType } from '../../../contract/metadata/items.ts'
import type { SearchHit } from '../../../contract/metadata/search.ts'
import { foldText, foldedWords } from '../../../core/text/fold-text.ts'
import type { FoundItem } from './found-items.store.ts'
import { joinAll, joinAny, compactText, lexeme, firstWords, wholeName, wordsQuestion } from './lexemes.ts'

/** A query for the items' lexemes. If an item matches several, the greatest weight counts. */
export interface SearchQuestion {
  text: string
  type: ItemType
  weight: number
  matchedOn: SearchHit['matchedOn']
  /** Whether a lighter question finds whatever this one finds. */
  covered: boolean
}

/** Clients and debtors before their records. */
export const typeOrder: readonly ItemType[] = [2, 3, 1, 5, 4, 7, 6, 8, 9]

const numberMin = 3
const idNumberMin = 6
const phoneMin = 5
const phoneForm = /^\+?[\d\s()./-]+$/

/** Calling codes of the supported countries: a national number is tried with each. */
const callingCodes = ['46', '47', '45', '358', '49', '354']

/** The possible beginnings of a phone number's digits: in national form, and with the calling code. */
function phoneStarts(text: string): string[] {
  const digits = text.replace(/\D/g, '')
  if (!phoneForm.test(text.trim()) || digits.length < phoneMin) return []
  if (text.trim().startsWith('+')) return [digits]
  if (digits.startsWith('00')) return [digits.slice(2)]
  const national = callingCodes.map((code) => code + digits.replace(/^0/, ''))
  return digits.startsWith('0') ? national : [digits, ...national]
}

/** Queries by number, reference, identity number, phone and e-mail. */
export function identifierQuestions(text: string, types: readonly ItemType[]): SearchQuestion[] {
  const compact = compactText(text)
  const digits = compact.replace(/\D/g, '').length
  const questions: SearchQuestion[] = []
  const add = (type: ItemType, kind: 'r' | 'i' | 'e', value: string, on: SearchHit['matchedOn']) =>
    questions.push(
      { text: lexeme(type, kind, value), type, weight: 100, matchedOn: on, covered: true },
      { text: lexeme(type, kind, value, true), type, weight: 80, matchedOn: on, covered: false },
    )
  if (compact.length >= numberMin) for (const type of types) add(type, 'r', compact, 'reference')
  if (!types.includes(3)) return questions
  if (digits >= idNumberMin) add(3, 'i', compact, 'idNumber')
  const phones = phoneStarts(text)
  if (phones.length > 0) {
    const [exact, begun] = [false, true].map((prefix) =>
      joinAny(phones.map((start) => lexeme(3, 'p', start, prefix))),
    )
    questions.push(
      { text: exact!, type: 3, weight: 100, matchedOn: 'phone', covered: true },
      { text: begun!, type: 3, weight: 80, matchedOn: 'phone', covered: false },
    )
  }
  if (text.includes('@')) add(3, 'e', text.trim().toLowerCase(), 'email')
  return questions
}

/** The words of a name. Of an e-mail only those before the @: the domain says little. */
export const nameWords = (text: string): string[] =>
  firstWords(text.includes('@') ? text.split('@')[0]! : text)

const byName = (type: ItemType, text: string, weight: number): SearchQuestion => ({
  text,
  type,
  weight,
  matchedOn: 'name',
  covered: weight === wholeWeight,
})
const wholeWeight = 90

/** A single letter matches too many words. */
const beginningMin = 2
const begins = (word: string) => word.length >= beginningMin

/** Queries by name: the whole name, its words, words with an incomplete last one, and beginnings alone. */
export function nameQuestions(text: string, types: readonly ItemType[]): SearchQuestion[] {
  const words = nameWords(text)
  if (words.length === 0) return []
  return types.flatMap((type) => [
    byName(type, lexeme(type, 'n', wholeName(text)), wholeWeight),
    byName(type, wordsQuestion(type, words, 'none'), 70),
    ...(begins(words.at(-1)!) ? [byName(type, wordsQuestion(type, words, 'last'), 60)] : []),
    ...(words.length > 1 && words.every(begins) ? [byName(type, wordsQuestion(type, words, 'all'), 55)] : []),
  ])
}

/** Candidates for each word, nearest first. */
export type WordCandidates = readonly (readonly { word: string; nearness: number }[])[]

/** The lowest weight of each step. The first steps cost little, the last ones much. */
const stepWeights = [90, 70, 60, 0]
export const stepOfWeight = (weight: number): number => stepWeights.findIndex((least) => weight >= least)
/**
 * Items that are not debtors are few among those that a name finds, and are sought together. The beginning of a reference
 * finds the whole one too, and the words of a name the whole name.
 */
export const groupOfOthers = (weight: number): string => (weight >= 70 ? 'whole words' : `${weight}`)
const mistypedWeight = 50

/** Queries by name with each word replaced by its nearest candidate, and by any candidate. */
export function correctedQuestions(meant: WordCandidates, types: readonly ItemType[]): SearchQuestion[] {
  if (meant.some((words) => words.length === 0)) return []
  const choices = [meant.map((words) => words.slice(0, 1)), meant]
  return choices.flatMap((choice) =>
    types.map((type) => ({
      text: joinAll(choice.map((words) => joinAny(words.map(({ word }) => lexeme(type, 'w', word))))),
      type,
      weight: mistypedWeight,
      matchedOn: 'name' as const,
      covered: choice !== meant,
    })),
  )
}

/** How near an item's name is to the typed text, from 0 to 1. */
function computeNearness(name: string, meant: WordCandidates): number {
  const words = new Set(foldedWords(name))
  const nearest = meant.map((candidates) => candidates.find(({ word }) => words.has(word))?.nearness ?? 0.3)
  return nearest.reduce((sum, one) => sum + one, 0) / Math.max(1, nearest.length)
}

/** The words of an e-mail can also find a name; then the name counts as the match. */
function matchedBy(
  question: SearchQuestion,
  item: FoundItem,
  typed: readonly string[],
  meant: WordCandidates,
) {
  if (question.matchedOn !== 'name' || item.type !== 3) return question.matchedOn
  const words = foldedWords(item.primaryDescription)
  const inName = (word: string, index: number) =>
    words.some((own) => own.startsWith(word) || meant[index]?.some((one) => one.word === own) === true)
  return typed.every(inName) ? 'name' : 'email'
}

/** A hit without what tells it from others of its name. */
export type RankedItem = ItemDescription & Pick<SearchHit, 'matchedOn'>

/** The hits, best first: by weight, then clients and debtors first, then shorter names. */
export function rankHits(
  items: readonly FoundItem[],
  questions: readonly SearchQuestion[],
  { text, meant, most }: { text: string; meant: WordCandidates; most: number },
): RankedItem[] {
  const typed = nameWords(text)
  const whole = foldText(text.trim())
  return items
    .map((item) => {
      const question = questions[item.question]!
      const mistyped = question.weight === mistypedWeight
      return {
        item,
        question,
        weight: mistyped ? mistypedWeight * computeNearness(item.primaryDescription, meant) : question.weight,
        begins: foldText(item.primaryDescription).startsWith(whole),
      }
    })
    .toSorted(
      (a, b) =>
        b.weight - a.weight ||
        typeOrder.indexOf(a.item.type) - typeOrder.indexOf(b.item.type) ||
        Number(b.begins) - Number(a.begins) ||
        a.item.primaryDescription.length - b.item.primaryDescription.length ||
        (a.item.primaryDescription < b.item.primaryDescription ? -1 : 1),
    )
    .slice(0, most)
    .map(({ item, question }) => ({
      guid: item.guid,
      type: item.type,
      primaryDescription: item.primaryDescription,
      secondaryDescription: item.secondaryDescription,
      matchedOn: matchedBy(question, item, typed, meant),
    }))
}
