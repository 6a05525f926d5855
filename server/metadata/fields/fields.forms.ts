import * as layout from '../../../contract/metadata/forms/fields.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findCustomField, listCustomFields } from '../../platform/dictionary/custom-fields.store.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import type { FormRegistry } from '../forms/registry.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { addField, changeField, removeField, type EntityStorage } from './fields.changes.ts'
import { fieldMembers } from './fields.rules.ts'
import { countValue } from './fields.store.ts'

export interface FieldWiring {
  /** The installation's forms, including this one, available once all are known. */
  registry: () => FormRegistry
  /** Called after a field was created, changed or deleted. */
  onChange: () => void
}

export function fieldForms(
  { customFields }: ServerContext,
  { registry, onChange }: FieldWiring,
): FormHandler[] {
  const entities = () => extendableEntities(registry())
  const changed = () => {
    customFields.forget()
    onChange()
  }
  return [
    handle(layout.fieldCreate, {
      defaults: () => ({ audit: true, hidden: false, required: false, personalDataTypeId: 0 }),
      create: async ({ db, caller, body, origin }) => {
        const made = await addField(db, body, { caller, origin, entities: entities() })
        changed()
        return { record: fieldMembers(made), version: made.version }
      },
    }),
    handle(layout.fieldEdit, {
      find: async ({ db, id }) => {
        const field = await findCustomField(db, id)
        if (!field) throw notFound('field')
        return { record: fieldMembers(field), version: field.version }
      },
      store: async ({ db, caller, id, body, origin, ifMatch }) => {
        const change = { guid: id, input: body, ifMatch }
        const version = await changeField(db, change, { caller, origin, entities: entities() })
        changed()
        return version
      },
      remove: async ({ db, id, origin, ifMatch }) => {
        await removeField(db, { guid: id, ifMatch }, { origin, entities: entities() })
        changed()
      },
    }),
  ]
}

/** The entities with a table that can hold custom fields. */
function extendableEntities(registry: FormRegistry): Map<string, EntityStorage> {
  const entities = new Map<string, EntityStorage>()
  for (const [entity, handlers] of Map.groupBy(registry.all, ({ form }) => form.entity)) {
    const storedIn = handlers.find((handler) => handler.storedIn)?.storedIn
    if (storedIn) entities.set(entity, { entity, storedIn, forms: handlers.map(({ form }) => form) })
  }
  return entities
}

/** Maps each entity with custom fields to its table. */
export const extendableTables = (registry: FormRegistry): Map<string, string> =>
  new Map([...extendableEntities(registry)].map(([entity, { storedIn }]) => [entity, storedIn.table]))

/**
 * Counts the records, by entity, whose custom fields hold a lookup's value. Deleting the value would leave them without
 * one.
 */
export async function countLookupUses(
  db: Db,
  registry: FormRegistry,
  { lookupCode, lookupKey }: { lookupCode: string; lookupKey: string },
): Promise<Record<string, number>> {
  const entities = extendableEntities(registry)
  const uses: Record<string, number> = {}
  for (const field of await listCustomFields(db)) {
    const storedIn = entities.get(field.entity)?.storedIn
    if (!storedIn || field.type === null || field.lookupCode?.toLowerCase() !== lookupCode) continue
    const name = `${field.entity} records`
    uses[name] = (uses[name] ?? 0) + (await countValue(db, storedIn, field.code, lookupKey))
  }
  return uses
}
