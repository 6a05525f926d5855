/** Ten own fields on every debtor of the bench, the first of them indexed, so that a filter on one is measured. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { CustomFields } from '../../server/platform/dictionary/custom-fields.ts'
import { alignIndexes } from '../../server/platform/dictionary/custom-indexes.ts'
import { customProperties } from '../../server/platform/dictionary/custom-properties.ts'
import type { CustomField } from '../../server/platform/dictionary/custom-field.ts'
import { noField } from '../../server/metadata/fields/fields.rules.ts'

const fieldsMax = 10
/** So many different values, spread evenly. */
const valuesMax = 5000

const fields: CustomField[] = Array.from({ length: fieldsMax }, (_, index) => ({
  ...noField,
  fieldGuid: `00000000-0000-4000-9000-00000000000${index}`,
  entity: 'debtor',
  code: `own${index}`,
  type: 'string',
  labels: { en: `Own ${index}` },
  indexed: index === 0,
  version: 1,
}))

/** As the product has them for a list of debtors. */
export const ownProperties = customProperties(fields, 'd')
export const ownFilter = "own0 eq 'v123'"

/** Before the debtors are loaded: a default that gives each its values, so that no row is written twice. */
export async function beginOwnFields(sql: Sql): Promise<void> {
  for (const { fieldGuid, entity, code, type, labels, indexed } of fields) {
    await sql`
      insert into user_field (id, entity, code, type, labels, indexed)
      values (${fieldGuid}, ${entity}, ${code}, ${type}, ${sql.json(labels)}, ${indexed}) on conflict do nothing`
  }
  const values = fields.map(({ code }) => `'${code}', 'v' || floor(random() * ${valuesMax})::int`)
  await sql.unsafe(
    `alter table debtor alter column custom set default jsonb_build_object(${values.join(', ')})`,
  )
}

/** After they are loaded: the default of the product again, and the index. */
export async function finishOwnFields(sql: Sql): Promise<void> {
  await sql`alter table debtor alter column custom set default '{}'`
  await alignIndexes(sql, new CustomFields(sql), new Map([['debtor', 'debtor']]))
}
