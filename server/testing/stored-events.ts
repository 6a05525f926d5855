/**
 * Checks every event in a test's database before the database is dropped: its type is on the list
 * (contract/platform/event-types.ts), it is whole, and its data are as the list says. No statement can store another event unseen.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { createDataSchema } from '../../contract/platform/event-data.ts'
import { eventTexts } from '../../contract/platform/event-texts.ts'
import type { EventType } from '../../contract/platform/event-types.ts'
import type { Db } from '../platform/database/transaction.ts'

export interface StoredShape {
  type: string
  /** The members of the data, in any order; null where a test has written the event by itself, without any. */
  members: string[] | null
  /** The data of one of them. */
  data?: unknown
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

/** What of the data does not fit the schema that the AsyncAPI document has of it. */
function findMisfits(type: EventType, data: unknown): string[] {
  const check =
    ajv.getSchema(type) ?? ajv.compile({ ...createDataSchema(type, eventTexts[type].data), $id: type })
  if (check(data)) return []
  return check.errors!.map(({ instancePath, message }) => `${type}: data${instancePath} ${message}`)
}

/** What of the given events is not as the list has it, one line for each; none when all are right. */
export function findUnlisted(stored: readonly StoredShape[]): string[] {
  return stored.flatMap(({ type, members, data: given }) => {
    if (!Object.hasOwn(eventTexts, type)) return [`${type} is no type of event`]
    if (members === null) return []
    const { data } = eventTexts[type as EventType]
    const named = data.map((name) => name.replace('?', ''))
    return [
      ...members.filter((name) => !named.includes(name)).map((name) => `${type}: data has ${name} besides`),
      ...data
        .filter((name) => !name.endsWith('?') && !members.includes(name))
        .map((name) => `${type}: data lacks ${name}`),
      ...(given === undefined || given === null ? [] : findMisfits(type as EventType, given)),
    ]
  })
}

export async function listStoredShapes(db: Db): Promise<StoredShape[]> {
  return db<StoredShape[]>`
    with entry as (
      select case when num_nulls(sequence, id, type, data) = 0 then type else 'half of an event' end as type,
        case when data is null or operation = 'test' then null else data end as data,
        case when data is null or data = '{}' and operation = 'test' then null
          else array(select jsonb_object_keys(data) order by 1) end as members,
        array(select key || jsonb_typeof(value) from jsonb_each(coalesce(data, '{}')) order by key) as kinds
      from audit_entry where num_nulls(sequence, id, type, data) < 4
    )
    select distinct on (type, members, kinds) type, members, data from entry`
}
