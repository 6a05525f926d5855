/** Draws addresses and telephone numbers from the tables of a country. */
import { splitCommas, type Country, type PhoneBlock } from './country.ts'
import { weighByRank, weighValues, type Random } from './random.ts'

export interface Place {
  street: string
  houseNo: string
  houseNoExtension: string | undefined
  zipCode: string
  city: string
  stateCode: string | undefined
}

interface City {
  name: string
  inhabitants: number
  zips: { first: number; count: number }[]
  stateCode: string | undefined
}

const readCities = (country: Country): City[] =>
  country.cities.map((line) => {
    const [name = '', inhabitants = '', zips = '', stateCode] = line.split('|')
    return {
      name,
      inhabitants: Number(inhabitants),
      stateCode,
      zips: splitCommas(zips).map((range) => {
        const [first = 0, last = 0] = range.split('-').map(Number)
        return { first, count: Math.floor((last - first) / country.zipStep) + 1 }
      }),
    }
  })

/** Addresses, more of them in larger cities; a small house number is more likely than a large one. */
export function drawPlaces(country: Country): (random: Random) => Place {
  const cities = weighValues(
    readCities(country).map((city) => ({
      ...city,
      zip: weighValues(city.zips, (range) => range.count),
    })),
    (city) => city.inhabitants,
  )
  const street = weighByRank(splitCommas(country.streets))
  const extension = weighByRank(splitCommas(country.extensions.values))
  return (random) => {
    const city = cities(random)
    const range = city.zip(random)
    const zip = range.first + random.below(range.count) * country.zipStep
    return {
      street: street(random),
      houseNo: String(1 + Math.floor(random.fraction() ** 2 * 48 + random.fraction() ** 6 * 90)),
      houseNoExtension: random.chance(country.extensions.share) ? extension(random) : undefined,
      zipCode: fillFormat(country.zipFormat, zip),
      city: city.name,
      stateCode: city.stateCode,
    }
  }
}

/** Towns of a country by size, for places of birth: Aalborg rather than its postal district Aalborg Øst. */
export function drawTowns(country: Country): (random: Random) => string {
  const towns = readCities(country).map((city) => ({
    ...city,
    name: country.code === 'DK' ? city.name.replace(/ (?:[KVØNSCM]|NV|SV|SØ|Øst)$/, '') : city.name,
  }))
  const town = weighValues(towns, (city) => city.inhabitants)
  return (random) => town(random).name
}

/** The number signs stand for the digits of the number, from the left. */
function fillFormat(format: string, number: number): string {
  const digits = String(number).padStart(format.split('#').length - 1, '0')
  let next = 0
  return format.replaceAll('#', () => digits[next++]!)
}

/** Telephone numbers of the blocks, each number as likely as any other. */
export function drawPhones(blocks: readonly PhoneBlock[]): (random: Random) => string {
  const phones = blocks.flatMap(({ format, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => fillFormat(format, from + index)),
  )
  return (random) => phones[random.below(phones.length)]!
}
