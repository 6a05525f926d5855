/** The answers of /scim/v2: resources, lists and what the service says of itself. */
import { hash } from 'node:crypto'
import { badRequest } from './scim-failure.ts'
import { toGroupDocument } from './scim-groups.changes.ts'
import type { ScimGroup } from './scim-groups.store.ts'
import type { ScimUser } from './scim-users.store.ts'
import {
  groupType,
  resourceTypes,
  schemas,
  userType,
  type Attribute,
  type ResourceType,
  type Schema,
} from './schemas.ts'
import { toUserDocument } from './user-documents.ts'

export interface Resource extends Record<string, unknown> {
  meta: { resourceType: string; created?: string; location: string; version: string }
}

export function toUserResource(user: ScimUser, root: string): Resource {
  const document = toUserDocument(user)
  const extensions = Object.keys(document).filter((name) => name.startsWith('urn:'))
  return {
    schemas: [userType.schema.id, ...extensions],
    id: user.id,
    ...document,
    ...(user.groups.length > 0 && {
      groups: user.groups.map((group) => ({
        ...group,
        type: 'direct',
        $ref: `${root}/Groups/${group.value}`,
      })),
    }),
    meta: {
      resourceType: 'User',
      created: user.createdAt,
      location: `${root}/Users/${user.id}`,
      version: `W/"${user.version}"`,
    },
  }
}

/** The version of a group follows from its content: members come and go with their users. */
export const groupTag = (group: ScimGroup): string =>
  `W/"${hash('sha256', JSON.stringify([group.version, toGroupDocument(group)]), 'base64url').slice(0, 22)}"`

export function toGroupResource(group: ScimGroup, root: string): Resource {
  const { members, ...document } = toGroupDocument(group)
  return {
    schemas: [groupType.schema.id],
    id: group.id,
    ...document,
    members: (members as { value: string }[]).map((one) => ({ ...one, $ref: `${root}/Users/${one.value}` })),
    meta: { resourceType: 'Group', location: `${root}/Groups/${group.id}`, version: groupTag(group) },
  }
}

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const toListResponse = (total: number, startIndex: number, found: readonly object[]) => ({
  schemas: [listSchema],
  totalResults: total,
  startIndex,
  itemsPerPage: found.length,
  Resources: found,
})

export interface Projection {
  attributes: readonly string[]
  excludedAttributes: readonly string[]
}

/** The attributes that the caller asks for (RFC 7644 section 3.9). `id`, `schemas` and `meta` are always given. */
export function project(resource: Resource, { attributes, excludedAttributes }: Projection): object {
  if (attributes.length > 0 && excludedAttributes.length > 0)
    throw badRequest('invalidValue', 'Send attributes or excludedAttributes, not both.')
  if (attributes.length === 0 && excludedAttributes.length === 0) return resource
  const always = new Set(['id', 'schemas', 'meta'])
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
      if (always.has(name)) return [[name, value]]
      if (attributes.length > 0) {
        const kept = keepParts(name, value, attributes)
        return kept === undefined ? [] : [[name, kept]]
      }
      return excludedAttributes.some((one) => isPath(one, name)) ? [] : [[name, value]]
    }),
  )
}

const isPath = (path: string, name: string) => {
  const bare = path.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, '')
  return bare === name.toLowerCase()
}

/** An attribute as a whole, or those of its parts that are named: `name.familyName`. */
function keepParts(name: string, value: unknown, paths: readonly string[]): unknown {
  if (paths.some((path) => isPath(path, name))) return value
  const separator = name.startsWith('urn:') ? ':' : '.'
  const start = (name + separator).toLowerCase()
  const parts = paths
    .map((path) => path.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, ''))
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length))
  if (parts.length === 0 || typeof value !== 'object' || value === null) return undefined
  const keep = (element: object) =>
    Object.fromEntries(Object.entries(element).filter(([part]) => parts.includes(part.toLowerCase())))
  return Array.isArray(value) ? value.map((one) => keep(one as object)) : keep(value)
}

const describeAttribute = ({ subAttributes, ...attribute }: Attribute): object => ({
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...attribute,
  ...(subAttributes && { subAttributes: subAttributes.map(describeAttribute) }),
})

const schemaSchema = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

const describeSchema = ({ attributes, ...schema }: Schema, root: string) => ({
  schemas: [schemaSchema],
  ...schema,
  attributes: attributes.map(describeAttribute),
  meta: { resourceType: 'Schema', location: `${root}/Schemas/${schema.id}` },
})

const describeType = ({ schema, extensions, ...type }: ResourceType, root: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: type.name,
  ...type,
  schema: schema.id,
  ...(extensions.length > 0 && {
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
  }),
  meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${type.name}` },
})

export const listSchemas = (root: string) => schemas.map((one) => describeSchema(one, root))
export const listResourceTypes = (root: string) => resourceTypes.map((one) => describeType(one, root))

/** At most so many resources a page. */
export const pageMax = 200

export const describeService = (root: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: pageMax },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The secret of an API user, or an access token from /api/v1/oauth2/token.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
    {
      type: 'httpbasic',
      name: 'HTTP Basic',
      description: 'Client id and secret of an API user.',
      specUri: 'https://www.rfc-editor.org/info/rfc7617',
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
})
