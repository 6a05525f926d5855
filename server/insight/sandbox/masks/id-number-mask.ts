/**
 * Masks of identity and company numbers: valid by the rules of their country, of the same kind, year and month of birth and
 * gender, and not in use. The day of birth is that of the masked date of birth.
 */
import { checkIdNumber, type IdNumberResult } from '../../../../core/identity/id-number.ts'
import type { Digest } from './mask-kinds.ts'
import { drawBytes, drawShape } from './shape.ts'

type Valid = Extract<IdNumberResult, { ok: true }>

/** Norwegian numbers need about 600 tries: two check digits, the gender and the century. */
const triesMax = 20_000

/** Another day of the same month, the same for every person who was born on that day. */
export function maskBirthDate(digest: Digest, date: string): string {
  const day = Number(date.slice(8, 10))
  const drawn = 1 + (digest('birth', date).readUInt32BE(0) % 27)
  return `${date.slice(0, 8)}${String(drawn < day ? drawn : drawn + 1).padStart(2, '0')}`
}

export class IdNumberMask {
  readonly #digest: Digest
  readonly #today: string
  readonly #countries: ReadonlyMap<string, string | null>
  readonly #taken: Set<string>
  readonly #made = new Map<string, string>()

  /** `idNumbers` are those of the source with their countries, and never given. */
  constructor(
    digest: Digest,
    { idNumbers, today }: { idNumbers: ReadonlyMap<string, string | null>; today: string },
  ) {
    this.#digest = digest
    this.#today = today
    this.#countries = idNumbers
    this.#taken = new Set(idNumbers.keys())
  }

  mask(value: string): string {
    const known = this.#made.get(value)
    if (known !== undefined) return known
    const made = this.#draw(value)
    this.#made.set(value, made)
    this.#taken.add(made)
    return made
  }

  #check = (country: string, idNumber: string): Valid | undefined => {
    const checked = checkIdNumber({ idNumber, countryCode: country, juridicalType: null, today: this.#today })
    return checked.ok && checked.idNumber === idNumber ? checked : undefined
  }

  #draw(value: string): string {
    const country = this.#countries.get(value) ?? 'SE'
    const valid = this.#check(country, value)
    const found = valid && this.#drawValid(country, value, valid)
    if (found !== undefined) return found
    for (let attempt = 0; attempt < triesMax; attempt++) {
      const drawn = drawShape(this.#digest('id', `${attempt} ${value}`), value)
      if (!this.#taken.has(drawn)) return drawn
    }
    return `M-${this.#digest('id', value).subarray(0, 8).toString('hex')}`
  }

  /** Undefined when no number is found. */
  #drawValid(country: string, value: string, valid: Valid): string | undefined {
    const bytes = drawBytes(this.#digest('id', value))
    const born = valid.dateOfBirth === null ? null : maskBirthDate(this.#digest, valid.dateOfBirth)
    const fixed = born === null ? companyPart(value) : datePart(country, value, valid.dateOfBirth!, born)
    const rest = value.slice(fixed.length)
    for (let attempt = 0; attempt < triesMax; attempt++) {
      const drawn = fixed + drawRest(bytes, rest)
      if (this.#taken.has(drawn)) continue
      const found = this.#check(country, drawn)
      if (
        found?.juridicalType === valid.juridicalType &&
        found.dateOfBirth === born &&
        found.gender === valid.gender
      )
        return drawn
    }
    return undefined
  }
}

/** A company's first signs tell its legal form. */
const companyPart = (value: string) => /^[A-Z]*\d{0,2}/.exec(value)![0]

/** The part that holds the date. What a country adds to the day for some persons stays added. */
function datePart(country: string, value: string, before: string, born: string): string {
  const [at, length] = country === 'SE' ? [6, 8] : [0, 6]
  const added = Number(value.slice(at, at + 2)) - Number(before.slice(8, 10))
  const day = String(Number(born.slice(8, 10)) + added).padStart(2, '0')
  return value.slice(0, at) + day + value.slice(at + 2, length)
}

const checkSigns = '0123456789ABCDEFHJKLMNPRSTUVWXY'

/** Digits for digits. The last sign of a Finnish number can be a letter, and the sign before its serial stays. */
function drawRest(bytes: Generator<number, never>, rest: string): string {
  const next = (count: number) => bytes.next().value % count
  return [...rest]
    .map((sign, place) => {
      if (place === rest.length - 1 && place > 3 && /^[-+A-FU-Y]\d{3}/.test(rest)) return checkSigns[next(31)]
      return /\d/.test(sign) ? String(next(10)) : sign
    })
    .join('')
}
