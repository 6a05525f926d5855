import { v7 as uuidv7 } from 'uuid'
import { ExtraField } from '../../contract/extra-fields.ts'
import { columnsOf, selectOf } from '../database/columns.ts'
import { listRows, type ListContext, type Page, type PageQuery } from '../database/list.ts'
import type { Db } from '../database/transaction.ts'
import { propertiesOf } from '../odata/properties.ts'

const columns = columnsOf(Object.keys(ExtraField.properties), 'x')
const source = {
  from: 'extra_field x',
  key: 'x.id',
  select: selectOf(columns),
  properties: propertiesOf(ExtraField, columns),
}

export type StoredExtraField = ExtraField & { extraFieldGuid: string; version: number }

export const listExtraFields = (
  db: Db,
  debtorGuid: string,
  query: PageQuery,
  context: ListContext,
): Promise<Page<ExtraField>> =>
  listRows<ExtraField>(
    db,
    source,
    { text: 'x.debtor_id = $1::uuid', parameters: [debtorGuid], usesPattern: false },
    query,
    context,
  )

export async function findExtraField(
  db: Db,
  debtorGuid: string,
  name: string,
): Promise<StoredExtraField | undefined> {
  const [row] = await db<StoredExtraField[]>`
    select id as "extraFieldGuid", name, value, version
    from extra_field where debtor_id = ${debtorGuid} and lower(name) = lower(${name})`
  return row
}

/** Returns the new field's guid. */
export async function insertExtraField(tx: Db, debtorGuid: string, field: ExtraField): Promise<string> {
  const id = uuidv7()
  await tx`
    insert into extra_field (id, debtor_id, name, value) values (${id}, ${debtorGuid}, ${field.name}, ${field.value}::text[])`
  return id
}

export async function updateExtraField(
  tx: Db,
  extraFieldGuid: string,
  { name, value }: ExtraField,
): Promise<void> {
  await tx`
    update extra_field set name = ${name}, value = ${value}::text[], version = version + 1 where id = ${extraFieldGuid}`
}

export async function deleteExtraField(tx: Db, extraFieldGuid: string): Promise<void> {
  await tx`delete from extra_field where id = ${extraFieldGuid}`
}
