/** Gives every debtor of the bench ten custom fields, the first of them indexed: the bench measures a filter on it. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { CustomFields } from '../../server/platform/dictionary/custom-fields.ts'
import { alignIndexes } from '../../server/platform/dictionary/custom-indexes.ts'
import { customProperties } from '../../server/platform/dictionary/custom-properties.ts'
import type { CustomField } from '../../server/platform/dictionary/custom-field.ts'
import { noField } from '../../server/metadata/fields/fields.rules.ts'

const fieldCount = 10
/** Each field has this many different values, spread evenly. */
const valueCount = 5000

const fields: CustomField[] = Array.from({ length: fieldCount }, (_, index) => ({
  ...noField,
  fieldGuid: `00000000-0000-4000-9000-00000000000${index}`,
  entity: 'debtor',
  code: `own${index}`,
  type: 'string',
  labels: { en: `Own ${index}` },
  indexed: index === 0,
  version: 1,
}))

/** For the `customFields` of a list's context, as the list of debtors has them. */
export const customFieldProperties = customProperties(fields, 'd')
export const customFieldFilter = "own0 eq 'v123'"

/**
 * Call it before the debtors are inserted. The default of the column `custom` then gives each debtor random values, so no row
 * is updated afterwards.
 */
export async function beginCustomFields(sql: Sql): Promise<void> {
  for (const { fieldGuid, entity, code, type, labels, indexed } of fields) {
    await sql`
      insert into user_field (id, entity, code, type, labels, indexed)
      values (${fieldGuid}, ${entity}, ${code}, ${type}, ${sql.json(labels)}, ${indexed}) on conflict do nothing`
  }
  const values = fields.map(({ code }) => `'${code}', 'v' || floor(random() * ${valueCount})::int`)
  await sql.unsafe(
    `alter table debtor alter column custom set default jsonb_build_object(${values.join(', ')})`,
  )
}

/** Call it after the debtors are inserted: restores the product's default and makes the index. */
export async function finishCustomFields(sql: Sql): Promise<void> {
  await sql`alter table debtor alter column custom set default '{}'`
  await alignIndexes(sql, new CustomFields(sql), new Map([['debtor', 'debtor']]))
}
