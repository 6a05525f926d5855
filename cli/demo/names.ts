/** Draws the names of persons and companies from the tables of a country. */
import { companyWords, origins, splitCommas, splitWords, type Country, type Sex } from './country.ts'
import { weighByRank, weighValues, type Random } from './random.ts'

export interface PersonName {
  firstname: string
  middlename: string | undefined
  lastname: string
  /** The language the person would rather be written to in, where it is not the country's. */
  language: string | undefined
  /** Towns the person may be born in, when abroad. */
  birthplaces: readonly string[] | undefined
}

type Draw<T> = (random: Random) => T
export type DrawPersonName = (random: Random, sex: Sex, bornIn: number) => PersonName

const drawWords = (text: string) => weighByRank(splitWords(text))
const drawCommas = (text: string) => weighByRank(splitCommas(text))

/** Surnames by their number of bearers, and with the tail's share ones put together of two parts. */
function drawSurnames(country: Country): Draw<string> {
  const listed = weighValues(
    splitCommas(country.surnames).map((entry) => {
      const at = entry.lastIndexOf(' ')
      return { name: entry.slice(0, at), bearers: Number(entry.slice(at + 1)) }
    }),
    (entry) => entry.bearers,
  )
  const beginnings = splitWords(country.tail.beginnings)
  const composed = splitWords(country.tail.ends).map((end) => joinParts(beginnings, end))
  const drawEnd = weighByRank(composed)
  return (random) => {
    if (!random.chance(country.tail.share)) return listed(random).name
    const names = drawEnd(random)
    return names[random.below(names.length)]!
  }
}

/** «Granngren» and «Bergberg» are no names: a doubled letter is written once, a doubled part not at all. */
const joinParts = (beginnings: string[], end: string) =>
  beginnings
    .filter((beginning) => beginning.toLowerCase() !== end)
    .map((beginning) => beginning + (beginning.at(-1) === end[0] ? end.slice(1) : end))

/** Names from abroad, given name and surname from the same origin. */
function drawNewcomers(country: Country): DrawPersonName {
  const origin = weighValues(
    Object.entries(country.newcomers.origins).map(([name, weight]) => {
      const table = origins[name]
      if (!table) throw new Error(`drawNewcomers: the origin ${name} of ${country.code} has no table.`)
      return {
        weight,
        male: drawWords(table.male),
        female: drawWords(table.female),
        surname: drawCommas(table.surnames),
        feminineEnding: table.feminineEnding ?? '',
        language: table.language,
        birthplaces: splitCommas(table.birthplaces),
      }
    }),
    (entry) => entry.weight,
  )
  return (random, sex) => {
    const from = origin(random)
    return {
      firstname: from[sex](random),
      lastname: from.surname(random) + (sex === 'female' ? from.feminineEnding : ''),
      middlename: undefined,
      language: random.chance(0.12) ? from.language : undefined,
      birthplaces: random.chance(0.7) ? from.birthplaces : undefined,
    }
  }
}

/** Names as people of an age and sex have them in a country. */
export function drawPersonNames(country: Country): DrawPersonName {
  const surname = drawSurnames(country)
  const cohorts = country.cohorts.map((cohort) => ({
    bornUpTo: cohort.bornUpTo,
    male: drawWords(cohort.male),
    female: drawWords(cohort.female),
  }))
  const newcomer = drawNewcomers(country)
  // Danes and Norwegians have a second surname in the middle as often as a second given name.
  const surnameInTheMiddle = country.code === 'DK' || country.code === 'NO' ? 0.5 : 0
  const drawMiddleName = (random: Random, given: Draw<string>) =>
    random.chance(surnameInTheMiddle) ? surname(random) : given(random)
  return (random, sex, bornIn) => {
    // The old came before the migration of the last decades.
    if (random.chance(country.newcomers.share * (bornIn < 1950 ? 0.4 : 1.1)))
      return newcomer(random, sex, bornIn)
    const cohort = cohorts.find((candidate) => bornIn <= candidate.bornUpTo) ?? cohorts.at(-1)!
    const firstname = cohort[sex](random)
    const lastname = surname(random)
    const middlename = random.chance(0.27) ? drawMiddleName(random, cohort[sex]) : undefined
    const repeated = middlename === firstname || middlename === lastname
    return {
      firstname,
      middlename: repeated ? undefined : middlename,
      lastname,
      language: undefined,
      birthplaces: undefined,
    }
  }
}

/** Company names with the NACE code of the trade in them; `city` is where the company sits. */
export function drawCompanyNames(country: Country) {
  const surname = drawSurnames(country)
  const word = weighValues(splitWords(companyWords), () => 1)
  const trade = weighByRank(splitCommas(country.trades).map((entry) => entry.split('|')))
  const name = weighByRank(country.companyNames)
  return (random: Random, city: string): { name: string; naceCode: string } => {
    const pattern = name(random)
    const [tradeName = '', naceCode = ''] = trade(random)
    const parts: Record<string, string> = {
      surname: surname(random),
      surname2: surname(random),
      word: word(random),
      trade: tradeName,
      city,
    }
    const filled = pattern.replace(/\{(\w+)\}/g, (_, key: string) => parts[key]!)
    return {
      // «Andreass Bygg»: a name that ends with s or z takes no further s.
      name: filled.replace(/([sz])s (?=\p{Lu})/u, '$1 '),
      // A pattern without a trade is that of a holding company, NACE 64.20.
      naceCode: pattern.includes('{trade}') ? naceCode : '64.20',
    }
  }
}
