/** The entity sets of /odata: the lists that are exported, with their sources, restrictions and access codes. */
import type { ServerContext } from '../../access/serve/server-context.ts'
import { mayCall, requireAccess } from '../../access/serve/admit.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { columnExpression, type Properties, type Property } from '../../platform/odata/properties.ts'
import { exportKinds, type ExportKind, type ExportName } from '../exports/export-kinds.ts'
import { notImplemented, ODataFailure } from './odata-failure.ts'

interface SetNames {
  set: string
  type: string
}

const names: Record<ExportName, SetNames> = {
  clients: { set: 'Clients', type: 'Client' },
  users: { set: 'Users', type: 'User' },
  debtors: { set: 'Debtors', type: 'Debtor' },
  addresses: { set: 'Addresses', type: 'Address' },
  cases: { set: 'Cases', type: 'Case' },
  invoices: { set: 'Invoices', type: 'Invoice' },
  payments: { set: 'Payments', type: 'Payment' },
  paymentplans: { set: 'PaymentPlans', type: 'PaymentPlan' },
}

export interface EntitySet extends SetNames {
  kind: ExportKind
  /** The members of an entity, custom fields included, by name in lower case. */
  properties: Properties
  key: Property
  select: string
}

const findKind = (name: string): ExportKind => exportKinds[name as ExportName]

/** The sets that the caller may read. */
export async function listEntitySets(service: ServerContext, caller: Caller): Promise<EntitySet[]> {
  const readable = Object.entries(names).filter(([name]) =>
    mayCall({ access: [findKind(name).access] }, caller),
  )
  return Promise.all(readable.map(([name, own]) => describeSet(service, own, findKind(name))))
}

/** Throws a 404 for an unknown set, and a 403 for one that the caller may not read. */
export async function findEntitySet(service: ServerContext, caller: Caller, set: string): Promise<EntitySet> {
  const found = Object.entries(names).find(([, own]) => own.set === set)
  if (!found && set.startsWith('$'))
    throw notImplemented(
      /^\$\w*/.exec(set)![0],
      'Supported are the entity sets, $metadata and $count. Batches and joins of sets are not supported.',
    )
  if (!found) {
    const sets = Object.values(names).map((own) => own.set)
    throw new ODataFailure(
      404,
      'not-found',
      `There is no entity set of this name. Known are ${sets.join(', ')}.`,
    )
  }
  const kind = findKind(found[0])
  requireAccess({ access: [kind.access] }, caller)
  return describeSet(service, found[1], kind)
}

async function describeSet(
  { customFields }: ServerContext,
  own: SetNames,
  kind: ExportKind,
): Promise<EntitySet> {
  const { source } = kind
  const custom = kind.customFields
    ? customProperties(await customFields.of(kind.customFields[0]), kind.customFields[1])
    : undefined
  // A list may be filtered by members that its rows do not have.
  const given = [...source.properties].filter(([, { name }]) => source.select.includes(`as "${name}"`))
  const properties = new Map([...given, ...(custom ?? [])])
  const key = [...properties.values()].find(({ column }) => column === source.key)
  if (!key) throw new Error(`The list of ${own.set} has no member with its key.`)
  const select = [source.select, ...[...(custom?.values() ?? [])].map(selectCustom)].join(', ')
  return { ...own, kind, properties, key, select }
}

/** Numbers leave the database as numbers, not as texts. */
const selectCustom = (property: Property) =>
  `${columnExpression(property)}${property.type === 'number' ? '::float8' : ''} as "${property.name}"`
