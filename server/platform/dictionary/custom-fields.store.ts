import { userFieldFields } from '../../../contract/access/user-fields.ts'
import type { EntityWithActions } from '../../../contract/platform/event-types.ts'
import { toJson, runStatement } from '../database/statement.ts'
import { memberColumns, selectList } from '../database/columns.ts'
import type { Db } from '../database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../events/record.ts'
import type { Origin } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import type { CustomField } from './custom-field.ts'
import type { FormTable } from './handler.ts'

/** The columns of a dictionary row; `labels` has the texts of all languages. */
const names = [
  ...Object.keys(userFieldFields).filter((name) => !/^text[A-Z]/.test(name)),
  'labels',
  'version',
]
const select = selectList(memberColumns(names, 'f', { fieldGuid: 'id' }))

export const listCustomFields = (db: Db): Promise<CustomField[]> =>
  runStatement<CustomField>(db, `select ${select} from user_field f order by f.id`, [], { prepare: true })

export async function findCustomField(
  db: Db,
  fieldGuid: string,
  { lock = false } = {},
): Promise<CustomField | undefined> {
  const [row] = await runStatement<CustomField>(
    db,
    `select ${select} from user_field f where f.id = $1${lock ? ' for update' : ''}`,
    [fieldGuid],
  )
  return row
}

export type CustomValue = string | number | boolean
export type CustomValues = Record<string, CustomValue>

export interface CustomFieldRow {
  entity: EntityWithActions<'updated'>
  /** The name of the identifier in events. */
  guidName: string
  storedIn: FormTable
  guid: string
  /** The record whose events are numbered. */
  subjectGuid: string
}

export async function findCustomValues(db: Db, { storedIn, guid }: CustomFieldRow): Promise<CustomValues> {
  const [row] = await db<{ custom: CustomValues }[]>`
    select custom from ${db(storedIn.table)} where id = ${guid}`
  return row?.custom ?? {}
}

/**
 * Stores the given values (null clears) with event and audit entry, in the transaction that checked the caller's access
 * to the record. Returns the record's version; undefined when nothing changed.
 */
export async function updateCustomValues(
  tx: Db,
  place: CustomFieldRow,
  values: Readonly<Record<string, CustomValue | null>>,
  options: { origin: Origin; secret: ReadonlySet<string> },
): Promise<number | undefined> {
  const { entity, guidName, storedIn, guid, subjectGuid } = place
  const subject = storedIn.subject?.table ?? storedIn.table
  // Locks the record with the event numbers first, like every other change.
  const [held] = await tx<{ sequence: number }[]>`
    select event_sequence as sequence from ${tx(subject)} where id = ${subjectGuid} for update`
  const [row] = await tx<{ custom: CustomValues; version: number }[]>`
    select custom, version from ${tx(storedIn.table)} where id = ${guid} for update`
  if (!row || !held) throw notFound(entity)
  const changed = Object.entries(values).filter(([code, value]) => (row.custom[code] ?? null) !== value)
  if (changed.length === 0) return undefined
  const custom: Record<string, unknown> = { ...row.custom, ...Object.fromEntries(changed) }
  for (const [code, value] of changed) if (value === null) delete custom[code]
  await tx`
    update ${tx(storedIn.table)} set custom = ${toJson(tx, custom)}, version = version + 1 where id = ${guid}`
  await tx`update ${tx(subject)} set event_sequence = event_sequence + 1 where id = ${subjectGuid}`
  const changes: Change['changes'] = Object.fromEntries(
    changed.map(([code, value]) => [
      code,
      options.secret.has(code) ? [null, 'changed'] : [row.custom[code] ?? null, value],
    ]),
  )
  const above = storedIn.subject ? { [`${subject}Guid`]: subjectGuid } : {}
  const data = { ...above, [guidName]: guid, changed: changed.map(([code]) => code) }
  const note: Change = {
    type: `${entity}.updated`,
    entityId: guid,
    subject: subjectGuid,
    sequence: held.sequence + 1,
    data,
    changes,
  }
  await insertRecords(tx, toRecords(options.origin, [note]))
  return row.version + 1
}
