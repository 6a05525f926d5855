/**
 * Who comes when. Debtors are dealt like cards: every thousand of them holds the same number of each country and
 * kind in an order of its own, so that the n-th debtor knows its rank among its like without any counting.
 */
import type { CountryCode, Sex } from './country.ts'
import { hashKey, hashText, shuffleIndexes } from './random.ts'

const thousand = 1000

/** Of 1,000 debtors: 880 persons and 120 companies; SE 450, NO 200, DK 150, FI 120, DE 80. */
const shares: readonly [CountryCode, 'person' | 'company', number][] = [
  ['SE', 'person', 396],
  ['SE', 'company', 54],
  ['NO', 'person', 176],
  ['NO', 'company', 24],
  ['DK', 'person', 132],
  ['DK', 'company', 18],
  ['FI', 'person', 106],
  ['FI', 'company', 14],
  ['DE', 'person', 70],
  ['DE', 'company', 10],
]

/**
 * Of 1,000 persons of a country, how many are of an age and a sex: `from-to each`. Debtors are people of working age
 * before all, and more men than women (as in the statistics of Kronofogden); none of the numbers is above 9, which
 * bounds how many share a birth year, see `id-numbers.ts`.
 */
const ages: Record<Sex, string> = {
  male: '15-16 1, 17-17 2, 18-18 4, 19-19 7, 20-24 7, 25-64 9, 65-69 7, 70-79 4, 80-89 2, 90-96 1',
  female: '15-16 1, 17-17 2, 18-18 4, 19-19 5, 20-24 7, 25-64 8, 65-69 7, 70-74 5, 75-79 4, 80-89 3, 90-99 1',
}

/** A place in a deal of 1,000: its group and the how-manieth of the group it is. */
interface Card<T> {
  group: T
  index: number
  size: number
}

function makeCards<T>(groups: readonly [T, number][]): Card<T>[] {
  const cards = groups.flatMap(([group, size]) =>
    Array.from({ length: size }, (_, index) => ({ group, index, size })),
  )
  if (cards.length !== thousand) throw new Error(`makeCards: the shares sum to ${cards.length}, not 1000.`)
  return cards
}

const debtorCards = makeCards(
  shares.map(([country, kind, size]): [{ country: CountryCode; kind: 'person' | 'company' }, number] => [
    { country, kind },
    size,
  ]),
)

const ageCards = makeCards(
  (['male', 'female'] as const).flatMap((sex) =>
    ages[sex].split(', ').flatMap((part): [{ age: number; sex: Sex }, number][] => {
      const [from = 0, to = 0, size = 0] = part.split(/[- ]/).map(Number)
      return Array.from({ length: to - from + 1 }, (_, index) => [{ age: from + index, sex }, size])
    }),
  ),
)

/** Gives the group of the n-th (from 0) and its rank in that group. Remembers the order of one thousand only. */
function dealCards<T>(cards: readonly Card<T>[], hash: number) {
  let shuffled = -1
  const order = new Uint16Array(thousand)
  return (n: number): { group: T; rank: number } => {
    const block = Math.floor(n / thousand)
    if (block !== shuffled) {
      shuffleIndexes(order, hashKey(hash, block))
      shuffled = block
    }
    const card = cards[order[n % thousand]!]!
    return { group: card.group, rank: block * card.size + card.index }
  }
}

/** Country and kind of the n-th debtor, and its rank among those. */
export const dealDebtors = (seed: number) => dealCards(debtorCards, hashKey(1, seed))

/** Age in the calendar year and sex of the n-th person of a country, and the rank among those. */
export const dealAges = (seed: number, country: CountryCode) =>
  dealCards(ageCards, hashText(hashKey(2, seed), country))
