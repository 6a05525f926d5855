/** Walks along the cases that have waited long enough for a step of their status: no other case can have one that is due. */
import { NIL } from 'uuid'
import { caseStatuses } from '../../../core/cases/case-lifecycle.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** One half of all cases; null for both. */
export type Half = 'low' | 'high' | null

/** By the debtor, whose row a letter holds: the last byte of the GUID, which is random in a time-ordered one too. `c` is the case. */
const isOfHalf = (half: Half) =>
  half === null ? 'true' : `get_byte(uuid_send(c.main_debtor_id), 15) ${half === 'low' ? '<' : '>='} 128`

/** The day since which a case `c` has its status, as the index `debt_case_status` has it. */
export const sinceDay = 'coalesce(c.status_since, c.registration_date)'

export interface WaitingCase {
  caseGuid: string
  status: string
  subStatus: string
  since: string
}

/** The next cases of a half, in the order of status and day. */
export interface Stretch {
  caseGuids: string[]
  /** The next stretch begins after it. Null at the end. */
  last: WaitingCase | null
}

export interface Walk {
  half: Half
  date: string
  /** Null at the beginning. */
  after: WaitingCase | null
}

interface Place {
  status: string
  subStatus: string
  /** The last day since which a case has waited long enough. */
  until: string
}

const everyPlace = Object.entries(caseStatuses)
  .flatMap(([status, { subStatuses }]) => subStatuses.map((subStatus) => `('${status}', '${subStatus}')`))
  .join(', ')

/** Where the steps of strategies in use begin: `$1` is the date. */
const places = `
  select p.status, p.sub_status, $1::date - min(s.after_days) as until
  from (values ${everyPlace}) p (status, sub_status)
    join strategy_step s on s.status = p.status and (s.sub_status is null or s.sub_status = p.sub_status)
  where exists (select from party o where o.strategy_id = s.strategy_id)
    or exists (select from trial_arm a where a.strategy_id = s.strategy_id)
  group by p.status, p.sub_status`

/** The subStatus of a closed or held case is another one, so these cases are open and not held. */
const isWaiting = (place: { status: string; subStatus: string; until: string }): string =>
  `c.status = ${place.status} and c.sub_status = ${place.subStatus} and ${sinceDay} <= ${place.until}`

const listPlaces = (db: Db, date: string, after: WaitingCase | null): Promise<Place[]> =>
  runStatement<Place>(
    db,
    `select status, sub_status as "subStatus", until from (${places}) p
     where (status, sub_status) >= (coalesce($2, ''), coalesce($3, '')) order by status, sub_status`,
    [date, after?.status ?? null, after?.subStatus ?? null],
    { prepare: true },
  )

const listWaiting = (
  db: Db,
  { half, after }: Pick<Walk, 'half' | 'after'>,
  { status, subStatus, until }: Place,
  cases: number,
): Promise<WaitingCase[]> =>
  runStatement<WaitingCase>(
    db,
    `select c.id as "caseGuid", c.status, c.sub_status as "subStatus", ${sinceDay} as since from debt_case c
     where ${isWaiting({ status: '$1', subStatus: '$2', until: '$3::date' })} and ${isOfHalf(half)}
       and (${sinceDay}, c.id) > (coalesce($4::date, '-infinity'), coalesce($5::uuid, '${NIL}'::uuid))
     order by ${sinceDay}, c.id limit ${Number(cases)}`,
    [status, subStatus, until, after?.since ?? null, after?.caseGuid ?? null],
    { prepare: true },
  )

/** The next stretch of so many cases. */
export async function findStretch(db: Db, { half, date, after }: Walk, cases: number): Promise<Stretch> {
  const found: WaitingCase[] = []
  for (const place of await listPlaces(db, date, after)) {
    const isSame = place.status === after?.status && place.subStatus === after.subStatus
    const waiting = await listWaiting(db, { half, after: isSame ? after : null }, place, cases)
    found.push(...waiting.slice(0, cases - found.length))
    if (found.length === cases) break
  }
  return {
    caseGuids: found.map(({ caseGuid }) => caseGuid),
    last: found.length < cases ? null : found.at(-1)!,
  }
}

/** How many cases there are to look at. */
export async function countWaiting(db: Db, half: Half, date: string): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    db,
    `select coalesce(sum(n.count), 0)::int as count from (${places} offset 0) p, lateral (
       select count(*) as count from debt_case c
       where ${isWaiting({ status: 'p.status', subStatus: 'p.sub_status', until: 'p.until' })} and ${isOfHalf(half)}) n`,
    [date],
  )
  return row!.count
}
