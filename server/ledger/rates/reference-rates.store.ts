/** Stores reference rates, shipped and edited, and loads them as core's rate table. */
import type { RateTable } from '../../../core/interest/interest.ts'
import { buildRateTable, shippedRates } from '../../../core/interest/reference-rates.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { caseRowSelect, type CaseRow } from '../../claims/case-lock.ts'

export interface ChangedRate {
  series: string
  from: string
}

const shippedTypes = { series: 'text', from: 'date', rate: 'numeric', source: 'text', unverified: 'boolean' }

/**
 * Loads the shipped rates and returns those that are new or changed. Edited rows stay as they are. The rates of the first
 * start count as always known; those of an upgrade are known from its day on.
 */
export async function insertShippedRates(tx: Db): Promise<ChangedRate[]> {
  return tx<ChangedRate[]>`
    with shipped as (
      select * from ${rowsIn(tx, shippedTypes, shippedRates)} s
    ),
    stale as (
      select s.*, r.rate as rate_before, r.source as source_before, r.unverified as unverified_before from shipped s
        left join reference_rate r on r.series = s.series and r.valid_from = s."from"
      where r.series is null or (not r.edited and (r.rate, r.source, r.unverified) is distinct from (s.rate, s.source, s.unverified))
    ), noted as (
      insert into reference_rate_change (series, valid_from, rate_before, source_before, unverified_before, business_date)
      select s.series, s."from", s.rate_before, s.source_before, coalesce(s.unverified_before, false), b.business_date
      from stale s, business_clock b where exists (select from reference_rate)
    )
    insert into reference_rate (series, valid_from, rate, source, unverified)
    select series, "from", rate, source, unverified from stale
    on conflict (series, valid_from) do update set rate = excluded.rate, source = excluded.source, unverified = excluded.unverified
    returning series, valid_from as from`
}

/** Keeps what is known before a change, for answers as of a day. */
export const noteRateBefore = (tx: Db, { series, from }: ChangedRate) => tx`
  insert into reference_rate_change (series, valid_from, rate_before, source_before, unverified_before, business_date)
  select ${series}, ${from}, r.rate, r.source, coalesce(r.unverified, false), b.business_date
  from business_clock b left join reference_rate r on r.series = ${series} and r.valid_from = ${from}`

/** Sets the rate of a series from a day on. Returns the previous rate of that day, and the row. */
export async function replaceRate(
  tx: Db,
  { series, from, rate, source }: ChangedRate & { rate: string; source: string | null },
): Promise<{ before: string | null; id: string; version: number }> {
  const [before] = await tx<{ rate: string }[]>`
    select trim_scale(rate)::text as rate from reference_rate where series = ${series} and valid_from = ${from}`
  await noteRateBefore(tx, { series, from })
  const [row] = await tx<{ id: string; version: number }[]>`
    insert into reference_rate as r (series, valid_from, rate, source, edited, id, version)
    values (${series}, ${from}, ${rate}, ${source}, true, ${makeId()}, 1)
    on conflict (series, valid_from) do update set rate = excluded.rate, source = excluded.source, unverified = false, edited = true,
      version = r.version + 1
    returning id, version`
  return { before: before?.rate ?? null, ...row! }
}

export interface StoredRate {
  interestRateGuid: string
  interestSeries: string
  validFrom: string
  rate: number
  source: string | null
  version: number
}

export async function findStoredRate(
  db: Db,
  id: string,
  { lock = false } = {},
): Promise<StoredRate | undefined> {
  const [row] = await db<StoredRate[]>`
    select id as "interestRateGuid", series as "interestSeries", valid_from as "validFrom", rate::float8 as rate, source, version
    from reference_rate where id = ${id} ${lock ? db`for update` : db``}`
  return row
}

/** Ends the accrual lines of cases that follow a series on the day before its rate changes. */
export async function endAccrualLines(tx: Db, { series, from }: ChangedRate): Promise<void> {
  await tx`
    update debt_case c set accrual_until = greatest(${from}::date - 1, c.accrual_from)
    where c.accrual_from is not null and (c.accrual_until is null or c.accrual_until >= ${from}::date)
      and ${followsSeries(tx, series)}`
}

/** Locks one page of the cases that follow a series. */
export const lockFollowingCases = (
  tx: Db,
  series: string,
  after: string,
  limit: number,
): Promise<CaseRow[]> =>
  tx<CaseRow[]>`
    select ${tx.unsafe(caseRowSelect)} from debt_case c
    where c.id > ${after} and ${followsSeries(tx, series)} order by c.id limit ${limit} for update`

const followsSeries = (tx: Db, series: string) => tx`(c.interest_series = ${series}
  or exists (select from invoice i where i.case_id = c.id and i.interest_series = ${series})
  or exists (select from movement m where m.case_id = c.id and m.kind = 'terms' and m.details -> 'terms' ->> 'series' = ${series}))`

/** Rate tables by version. Versions are random values, so tables of different databases do not mix. */
const tables = new Map<string, RateTable>()
const tablesMax = 8

/** The rates of a version, built once. Read `version` in the same statement as the case. */
export async function findRates(db: Db, version: string): Promise<RateTable> {
  const known = tables.get(version)
  if (known) return known
  const rows = await db<{ series: string; from: string; rate: string }[]>`
    select series, valid_from as from, trim_scale(rate)::text as rate from reference_rate`
  const table = buildRateTable(rows)
  if (tables.size >= tablesMax) tables.delete(tables.keys().next().value!)
  tables.set(version, table)
  return table
}

/** The rates of a version less what became known after a day. */
export async function findRatesKnownAt(db: Db, version: string, day: string): Promise<RateTable> {
  const changed = await db<{ series: string; from: string; before: string | null }[]>`
    select distinct on (series, valid_from) series, valid_from as from, trim_scale(rate_before)::text as before
    from reference_rate_change where business_date > ${day} order by series, valid_from, position`
  const now = await findRates(db, version)
  if (changed.length === 0) return now
  const known = new Map<string, { series: string; from: string; rate: string }>()
  for (const [series, rates] of now)
    for (const { from, rate } of rates) known.set(`${series} ${from}`, { series, from, rate })
  for (const { series, from, before } of changed)
    if (before === null) known.delete(`${series} ${from}`)
    else known.set(`${series} ${from}`, { series, from, rate: before })
  return buildRateTable(known.values())
}

export async function findRatesNow(db: Db): Promise<RateTable> {
  const [row] = await db<{ version: string }[]>`select version from reference_version`
  return findRates(db, row!.version)
}
