/** Reads what changed after a day: bookings, and the members of a case that the audit trail keeps. */
import type { Db } from '../../platform/database/transaction.ts'

/** Members of a case with one time: the business date on which they changed. */
export const recordedMembers = [
  'status',
  'subStatus',
  'hold',
  'closureCode',
  'limitationDate',
  'allocationOrder',
  'toleranceMinor',
  'governingCountry',
  'dayCount',
] as const
export type RecordedMember = (typeof recordedMembers)[number]

export interface RecordedChange {
  caseGuid: string
  date: string
  /** The first entry of a case is its registration. */
  isFirst: boolean
  /** Before and after. Null where the entry changed other members. */
  changes: Record<RecordedMember, [before: unknown, after: unknown] | null>
  /** An interruption of the limitation that the entry recorded. */
  interruption: { kind: string; date: string } | null
}

/** Entries of a payment or an invoice tell the limitation date of their case, but a status of their own. */
const recordedObject = recordedMembers
  .map((name) =>
    name === 'limitationDate'
      ? `'${name}', a.changes -> '${name}'`
      : `'${name}', case when a.entity = 'case' then a.changes -> '${name}' end`,
  )
  .join(', ')

/**
 * The registration of each case, its closings and reopenings, and every change after the day, in order. One look
 * into the index of the trail for each case.
 */
export const listRecordedChanges = (
  db: Db,
  caseGuids: readonly string[],
  day: string,
): Promise<RecordedChange[]> => db<RecordedChange[]>`
  select a.subject as "caseGuid", a.business_date as date, a.sequence = 1 as "isFirst",
    jsonb_build_object(${db.unsafe(recordedObject)}) as changes,
    case when a.type = 'case.limitation_interrupted'
      then jsonb_build_object('kind', a.data ->> 'interruption', 'date', a.data ->> 'date') end as interruption
  from audit_entry a
  where a.subject = any(${[...caseGuids]}::uuid[])
    and (a.sequence = 1 or a.business_date > ${day} or (a.entity = 'case' and a.changes ? 'closureCode'))
  order by a.subject, a.sequence`

/** The movements that were booked after a day, with the dates of their booking. */
export async function findLaterMovements(
  db: Db,
  caseGuids: readonly string[],
  day: string,
): Promise<{ id: string; date: string }[]> {
  return db<{ id: string; date: string }[]>`
    select id, booked_date as date from movement
    where case_id = any(${[...caseGuids]}::uuid[]) and booked_date > ${day}`
}
