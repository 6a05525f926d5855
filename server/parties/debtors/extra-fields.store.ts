import { ExtraField } from '../../../contract/parties/extra-fields.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ownedBy } from './debtors.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import type { VisibleDebtor } from './debtor-lock.ts'

const columns = memberColumns(Object.keys(ExtraField.properties), 'x')
const source: ListSource<'extrafield'> = {
  entity: 'extrafield',
  from: 'extra_field x',
  key: 'x.id',
  select: selectList(columns),
  properties: filterableProperties(ExtraField, columns),
}

export type StoredExtraField = ExtraField & { extraFieldGuid: string; version: number }

export const listExtraFields = (
  db: Db,
  debtor: VisibleDebtor,
  query: PageQuery,
  context: ListContext,
): Promise<Page<ExtraField>> =>
  listRows<ExtraField, 'extrafield'>(db, source, ownedBy('extrafield', debtor), query, context)

export async function findExtraField(
  db: Db,
  debtor: VisibleDebtor,
  name: string,
): Promise<StoredExtraField | undefined> {
  const [row] = await db<StoredExtraField[]>`
    select id as "extraFieldGuid", name, value, version
    from extra_field where debtor_id = ${debtor} and lower(name) = lower(${name})`
  return row
}

/** Returns the new field's guid. */
export async function insertExtraField(tx: Db, debtorGuid: string, field: ExtraField): Promise<string> {
  const id = makeId()
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
