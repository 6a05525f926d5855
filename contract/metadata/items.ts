import { Type, type Static } from 'typebox'
import type { AccessCode } from '../access/access.ts'
import { guid, key, text, type Demands } from './fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

/** The types of items. */
export const itemTypes = {
  1: 'Debt collection case',
  2: 'Client',
  3: 'Debtor',
  4: '3rd party',
  5: 'Invoice',
  6: 'Account',
  7: 'Customer',
  8: 'Purchase',
  9: 'Object',
} as const
export type ItemType = keyof typeof itemTypes

/** The access code needed to read items of a type. */
export const itemAccess = {
  1: 'case.read',
  2: 'client.read',
  3: 'debtor.read',
  4: 'client.read',
  5: 'case.read',
  6: 'client.read',
  7: 'client.read',
  8: 'client.read',
  9: 'client.read',
} as const satisfies Record<ItemType, AccessCode>

const primaryDescription = text(200, 'First line')
const secondaryDescription = text(200, 'Second line')

export const ItemDescription = Type.Object(
  {
    guid: guid('Item'),
    type: Type.Integer({ minimum: 1, maximum: 9, description: 'Item type, 1 to 9.' }),
    primaryDescription,
    secondaryDescription,
  },
  { $id: 'ItemDescription' },
)
export type ItemDescription = Static<typeof ItemDescription>

export const Favorite = Type.Object(
  {
    itemGuid: guid('Favorite'),
    type: key(1, 'Favorite type: 0 a URL, else the item type'),
    guid: text(36, 'Target'),
    primaryDescription,
    secondaryDescription,
    url: text(2000, 'URL of type 0'),
    subType: text(50, 'Sub type of type 0'),
  },
  { $id: 'Favorite' },
)
export type Favorite = Static<typeof Favorite>

const optional = (maxLength: number, title: string) => Type.Optional(text(maxLength, title))

export const FavoriteInput = Type.Object(
  {
    type: optional(1, 'Favorite type, 0 to 9'),
    guid: optional(36, 'Target when type is above 0'),
    url: optional(2000, 'URL of type 0'),
    subType: optional(50, 'Sub type of type 0'),
    primaryDescription: optional(200, 'First line of type 0'),
    secondaryDescription: optional(200, 'Second line of type 0'),
  },
  {
    $id: 'FavoriteInput',
    additionalProperties: false,
    'x-demands': {
      required: ['type'],
      members: { type: { pattern: '^[0-9]$' }, guid: { format: 'uuid' } },
    } satisfies Demands,
  },
)
export type FavoriteInput = Static<typeof FavoriteInput>

const ofFavorite = Type.Object({ guid: guid('Favorite') })

export const describeItem = operation({
  id: 'U4',
  name: 'describeItem',
  method: 'POST',
  path: '/users/itemdescriptions',
  area: 'Users',
  summary: 'Describe an item',
  description: 'One element if the item exists and the caller may see it; otherwise `items` is empty.',
  access: 'session',
  body: Type.Object(
    {
      guid: optional(36, 'Target'),
      type: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: 9,
          title: 'Item type, 1 to 9',
        }),
      ),
    },
    {
      $id: 'ItemReference',
      additionalProperties: false,
      'x-demands': { required: ['type'], members: { guid: { format: 'uuid' } } } satisfies Demands,
    },
  ),
  status: 200,
  response: Type.Object({ items: Type.Array(ItemDescription) }, { $id: 'ItemDescriptions' }),
  example: { body: { guid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', type: 3 } },
})
export const listFavorites = operation({
  id: 'U5',
  name: 'listFavorites',
  method: 'GET',
  path: '/users/current/favorites',
  area: 'Users',
  summary: 'List favorites',
  description: 'Sorted by position unless `$orderby` is given.',
  access: 'session',
  query: pageQuery,
  status: 200,
  response: page(Favorite),
})
export const addFavorite = operation({
  id: 'U6',
  name: 'addFavorite',
  method: 'POST',
  path: '/users/current/favorites',
  area: 'Users',
  summary: 'Add a favorite',
  description: 'Adding the same target again returns the existing favorite.',
  access: 'session',
  body: FavoriteInput,
  status: 201,
  response: Favorite,
  problems: ['not-found'],
  example: { body: { type: '0', url: '/worklist?status=AMICABLE', primaryDescription: 'My amicable cases' } },
})
export const updateFavorite = operation({
  id: 'U7',
  name: 'updateFavorite',
  method: 'PATCH',
  path: '/users/current/favorites/:guid',
  area: 'Users',
  summary: 'Move a favorite',
  description: 'The others are renumbered. The position is zero-based; one past the end means the end.',
  access: 'session',
  params: ofFavorite,
  body: Type.Object(
    {
      position: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: -2147483648,
          maximum: 2147483647,
          title: 'Position',
        }),
      ),
    },
    { $id: 'FavoriteChange', additionalProperties: false },
  ),
  status: 200,
  response: Problem,
  example: { body: { position: 0 } },
})
export const deleteFavorite = operation({
  id: 'deleteFavorite',
  name: 'deleteFavorite',
  method: 'DELETE',
  path: '/users/current/favorites/:guid',
  area: 'Users',
  summary: 'Delete a favorite',
  access: 'session',
  params: ofFavorite,
  status: 200,
  response: Problem,
})
