/** Masks of documents (jsonb), member by member. */
import { isCountry, isCurrency, isLanguage } from '../../../../core/identity/codes.ts'
import { isGuid } from '../../../../core/text/guid.ts'
import type { Mask, MaskKind, MaskOptions } from './mask-kinds.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type ValueMasks = Readonly<Record<'words' | 'shape' | 'birth', Mask>> &
  Readonly<Partial<Record<MaskKind, Mask>>>

const moment = /^\d{4}-\d{2}-\d{2}([T ][0-9:.]{5,15}(Z|[+-]\d{2}(:?\d{2})?)?)?$/
/** Too short for a number of a person or an account. */
const decimal = /^-?\d{1,5}(\.\d{1,12})?$/
/** A name can be a word of the contract too: `Contact`. */
const alwaysMasked: readonly MaskKind[] = [
  'words',
  'email',
  'phone',
  'idNumber',
  'bank',
  'birth',
  'token',
  'shape',
]
/** Kinds of columns whose masks are for columns alone. */
const noMember: readonly MaskKind[] = ['json', 'letter', 'custom', 'changes', 'list', 'noElements', 'bytes']

export class JsonMask {
  readonly #masks: ValueMasks
  readonly #options: Pick<MaskOptions, 'known' | 'members'>

  constructor(masks: ValueMasks, options: Pick<MaskOptions, 'known' | 'members'>) {
    this.#masks = masks
    this.#options = options
  }

  /** Of the service: identifiers, dates, amounts and codes stay, and the names of members. */
  document = (text: string): string => JSON.stringify(this.#value(JSON.parse(text) as Json, undefined))

  /** Every text but codes, its digits too. */
  letter = (text: string): string =>
    JSON.stringify(
      mapTexts(JSON.parse(text) as Json, (one) =>
        isGuid(one) ? one : (this.#known(one) ?? this.#masks.words(one)),
      ),
    )

  /** Custom fields may hold anything: numbers and dates too. */
  custom = (text: string): string => JSON.stringify(mapScalars(JSON.parse(text) as Json, this.#customValue))

  /**
   * Members of the audit trail. One that is no member of the contract is of a custom field and is left out; an erased one
   * holds a digest.
   */
  changes = (text: string): string => {
    const changes = JSON.parse(text) as Record<string, Json>
    const kept = Object.entries(changes).filter(([name]) => this.#options.known.has(name))
    return JSON.stringify(
      Object.fromEntries(
        kept.map(([name, value]) => [name, isErased(value) ? value : this.#value(value, name)]),
      ),
    )
  }

  #value(value: Json, name: string | undefined): Json {
    if (Array.isArray(value)) return value.map((one) => this.#value(one, name))
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#value(one, key)]))
    return typeof value === 'string' ? this.#text(value, name) : value
  }

  #text(value: string, name: string | undefined): string | null {
    const kind = name === undefined ? undefined : this.#options.members.get(name)
    const known = this.#known(value)
    if (known !== undefined && (kind === undefined || !alwaysMasked.includes(kind))) return known
    if (kind !== undefined && kind !== 'keep' && !noMember.includes(kind)) return this.#masks[kind]!(value)
    const isPlain = isGuid(value) || (moment.test(value) && !/birth/i.test(name ?? '')) || decimal.test(value)
    if (isPlain) return value
    return moment.test(value) ? this.#masks.birth(value) : this.#masks.words(value)
  }

  #known(value: string): string | undefined {
    return this.#options.known.has(value) || isCountry(value) || isCurrency(value) || isLanguage(value)
      ? value
      : undefined
  }

  #customValue = (value: Json): Json => {
    if (typeof value === 'number') return Number(this.#masks.shape(String(value)))
    if (typeof value !== 'string') return value
    if (moment.test(value)) return this.#masks.birth(value)
    return this.#known(value) ?? this.#masks.words(value)
  }
}

const isErased = (value: Json) => value !== null && typeof value === 'object' && 'erased' in value

const mapTexts = (value: Json, change: (text: string) => Json): Json =>
  mapScalars(value, (one) => (typeof one === 'string' ? change(one) : one))

function mapScalars(value: Json, change: (scalar: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((one) => mapScalars(one, change))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapScalars(one, change)]))
  return change(value)
}
