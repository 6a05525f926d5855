/** The sums of a list's amounts over all matching rows, by currency. A list gives them only if the query has `sums`. */
import { Type, type TNumber, type TObject, type TOptional, type TProperties, type TSchema } from 'typebox'
import { page } from './page.ts'

/** The query parameter `sums` of a list with these amounts. */
export const sumsQuery = (names: readonly string[]) => ({
  sums: Type.Optional(
    Type.String({
      maxLength: 500,
      description: `Amounts to add up over all matching rows, by currency: \`${names.join(',')}\`, or some of them. Send \`$top=0\` for the sums alone.`,
    }),
  ),
})

/** The same query with `sums`. */
export const withSums = <Q extends TProperties>(query: TObject<Q>, names: readonly string[]) =>
  Type.Object({ ...query.properties, ...sumsQuery(names) }, { additionalProperties: false })

/** A page whose query has `sums`. */
export const pageWithSums = <T extends TSchema & { $id?: string }, const N extends string>(
  item: T,
  names: readonly N[],
) => {
  const amounts = Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Number())])) as Record<
    N,
    TOptional<TNumber>
  >
  const sum = Type.Object(
    {
      currencyCode: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Null: the rows without a currency.',
      }),
      count: Type.Integer({ description: 'The number of matching rows in this currency.' }),
      amounts: Type.Object(amounts, { description: 'The sum of each amount that was asked for.' }),
    },
    item.$id ? { $id: `${item.$id}Sum` } : {},
  )
  const sums = Type.Optional(
    Type.Union([Type.Array(sum), Type.Null()], {
      description: 'Only with `sums` in the query. Null: there are too many rows to add up in time.',
    }),
  )
  return Type.Object({ ...page(item).properties, sums }, item.$id ? { $id: `${item.$id}Page` } : {})
}
