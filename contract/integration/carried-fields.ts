/** Fields of files that carry books: optional members, lists of records, and their limits. */
import { Type, type Static, type TSchema } from 'typebox'
import { integer } from '../metadata/fields.ts'

export const closed = { additionalProperties: false }
export const all = <S extends Record<string, TSchema>>(
  schemas: S,
): { [K in keyof S]: ReturnType<typeof Type.Optional<S[K]>> } =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)])) as never
export const list = <S extends TSchema>(items: S, maxItems: number, title: string) =>
  Type.Unsafe<Static<S>[] | null>({ type: ['array', 'null'], items, maxItems, title })
export const decimal = (title: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^-?\\d{1,3}(\\.\\d{1,6})?$', title })
export const count = (title: string, maximum = 100_000) => integer(title, { minimum: 0, maximum })
export const note = (title: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2000, title })
export const facts = (title: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: 20, title })
