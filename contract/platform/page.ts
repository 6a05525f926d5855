import { Type, type TSchema } from 'typebox'

/** The query of every list operation. */
export const pageQuery = Type.Object(
  {
    $filter: Type.Optional(
      Type.String({
        maxLength: 4000,
        description: "A condition in simplified OData: `startswith(fullName,'And') and city eq 'Malmö'`.",
      }),
    ),
    $orderby: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Members to sort by, each with `asc` or `desc`: `fullName desc`.',
      }),
    ),
    $skip: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2147483647,
        default: 0,
        description: 'The number of rows to skip.',
      }),
    ),
    $top: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, default: 25, description: 'The maximum number of rows.' }),
    ),
  },
  { additionalProperties: false },
)

/** A page of results. `total` is the exact number of matching rows. */
export const page = <T extends TSchema & { $id?: string }>(item: T) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'The number of items in `value`.' }),
      skip: Type.Integer({ description: 'Echoes `$skip`.' }),
      total: Type.Integer({ description: 'The exact number of matching rows.' }),
      value: Type.Array(item),
    },
    item.$id ? { $id: `${item.$id}Page` } : {},
  )
