/**
 * The field builders of the dictionary. A field is a plain JSON Schema object with one extra keyword, `x-field`, for
 * what JSON Schema cannot express. Columns and rendering are defined elsewhere.
 */
import {
  Type,
  type Static,
  type TObject,
  type TObjectOptions,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from 'typebox'

/** The kinds of personal data. The number is `personalDataTypeId` in form definitions. */
export const personalDataTypes = {
  identity: 1,
  name: 2,
  contact: 3,
  address: 4,
  birth: 5,
} as const
export type PersonalData = keyof typeof personalDataTypes

export interface FieldMeta {
  /** Not allowed in `$filter` and `$orderby`; every other scalar of a list item is. */
  unfilterable?: boolean
  /** Set by the server only; not part of any input. */
  readOnly?: boolean
  /** The lookup that lists the allowed values. */
  lookup?: string
  /** The kind of personal data, which decides how it is masked. */
  personalData?: PersonalData
  /** More than the JSON type says: a date without time, money, a multi-line text, or a GUID that can be cleared. */
  kind?: 'date' | 'money' | 'text' | 'guid'
  /** True if the audit trail shows the value before and after. Default true. */
  audit?: boolean
}

/**
 * What the rules of an input demand beyond its shape, for the keyword `x-demands` of an object schema. They refuse it
 * with texts of their own, all errors at once; the API document says it as part of the schema.
 */
export interface Demands {
  /** Members that may be neither left out nor null. */
  required?: readonly string[]
  /** Further keywords of members. */
  members?: Record<string, object>
}

const field = <T>(schema: object, meta: FieldMeta) => Type.Unsafe<T>({ ...schema, 'x-field': meta })

/** A part of an answer that may be null; `schema` says so itself. */
export const nullable = <T>(schema: object) => Type.Unsafe<T | null>({ ...schema })

/** One line of text of at most `maxLength` characters. Control characters are refused. */
export const text = (maxLength: number, title: string, meta: FieldMeta = {}) =>
  field<string | null>({ type: ['string', 'null'], maxLength, pattern: singleLine, title }, meta)

/** A text that is always present in a response. */
export const key = (maxLength: number, title: string, meta: FieldMeta = {}) =>
  field<string>({ type: 'string', maxLength, title }, meta)

export const flag = (title: string, meta: FieldMeta = {}) =>
  field<boolean | null>({ type: ['boolean', 'null'], title }, meta)

/** RFC 3339 in UTC; inputs may also be a plain date. */
export const dateTime = (title: string, meta: FieldMeta = {}) =>
  field<string | null>({ type: ['string', 'null'], format: 'date-time', title }, meta)

/** A calendar date, sent as midnight UTC. */
export const date = (title: string, meta: FieldMeta = {}) => dateTime(title, { kind: 'date', ...meta })

export const guid = (title: string, meta: FieldMeta = {}) =>
  field<string>({ type: 'string', format: 'uuid', title }, meta)

/** Of an audit entry. */
export const erasedMembers = field<string[]>(
  {
    type: 'array',
    items: { type: 'string' },
    title: 'Erased',
    description: 'The members of `changes` whose values were erased as personal data; both are null.',
  },
  { unfilterable: true },
)

/** The GUID of another record; the empty string clears it. The rules check that the record exists. */
export const reference = (title: string, lookup: string) => text(36, title, { kind: 'guid', lookup })

/** An amount in its currency's main unit. The rules check its number of decimals against the currency. */
export const money = (title: string, meta: FieldMeta = {}) =>
  field<number | null>(
    { type: ['number', 'null'], minimum: -1e13, maximum: 1e13, title },
    { kind: 'money', ...meta },
  )

/** A whole number. */
export const integer = (
  title: string,
  { minimum, maximum }: { minimum: number; maximum: number },
  meta: FieldMeta = {},
) => field<number | null>({ type: ['integer', 'null'], minimum, maximum, title }, meta)

/** A multi-line text. */
export const lines = (maxLength: number, title: string, meta: FieldMeta = {}) =>
  field<string | null>({ type: ['string', 'null'], maxLength, title }, { kind: 'text', ...meta })

/** A code that the specification defines as a number; `values` maps each number to its meaning. */
export const code = (title: string, values: Record<number, string>, meta: FieldMeta = {}) =>
  field<number | null>(
    {
      type: ['integer', 'null'],
      enum: [...Object.keys(values).map(Number), null],
      title,
      description: Object.entries(values)
        .map(([value, meaning]) => `${value} ${meaning}`)
        .join(', '),
    },
    meta,
  )

/** Refuses control characters, which a line of text cannot have. */
const singleLine = '^[^\\u0000-\\u001f\\u007f]*$'

export const fieldMeta = (schema: unknown): FieldMeta =>
  (schema as { 'x-field'?: FieldMeta })['x-field'] ?? {}

type Picked<P, N extends keyof P> = { [K in N]: P[K] extends TSchema ? P[K] : never }
type OptionalOf<P, N extends keyof P> = { [K in N]: P[K] extends TSchema ? TOptional<P[K]> : never }

/** An output schema: the named fields, all of them always present. */
export function outputSchema<P extends TProperties, const N extends readonly (keyof P & string)[]>(
  fields: P,
  names: N,
  options: TObjectOptions = {},
): TObject<Picked<P, N[number]>> {
  const picked = Object.fromEntries(names.map((name) => [name, fields[name]!])) as Picked<P, N[number]>
  return Type.Object(picked, options)
}

/** An input schema: the named fields, each of which may be omitted or null. Unknown members are refused. */
export function inputSchema<P extends TProperties, const N extends readonly (keyof P & string)[]>(
  fields: P,
  names: N,
  options: TObjectOptions = {},
): TObject<OptionalOf<P, N[number]>> {
  for (const name of names) {
    if (fieldMeta(fields[name]).readOnly) throw new Error(`inputSchema: ${name} is read-only.`)
  }
  const picked = Object.fromEntries(names.map((name) => [name, Type.Optional(fields[name]!)])) as OptionalOf<
    P,
    N[number]
  >
  return Type.Object(picked, { additionalProperties: false, ...options })
}

/** The names of the fields, in their order. */
export const listFieldNames = <P extends object>(fields: P) => Object.keys(fields) as (keyof P & string)[]

/** The names of the fields that are calendar dates. */
export const listDays = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, schema]) => (fieldMeta(schema).kind === 'date' ? [name] : []))

/** The names of the fields without some of them, in their order. */
export function namesWithout<P extends object, const N extends readonly (keyof P & string)[]>(
  fields: P,
  without: N,
): Exclude<keyof P & string, N[number]>[] {
  const left = listFieldNames(fields).filter((name) => !without.includes(name))
  return left as Exclude<keyof P & string, N[number]>[]
}

/** Element of a `links` array. */
export const Link = Type.Object(
  {
    type: Type.String(),
    name: Type.String(),
    href: Type.String(),
    resource: Type.String(),
    guid: Type.String(),
  },
  { $id: 'Link' },
)
export const links = Type.Array(Link, { title: 'Links' })
export type Link = Static<typeof Link>
export type { TUnsafe }
