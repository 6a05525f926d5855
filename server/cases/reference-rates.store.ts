/** Reference rates: the shipped ones in the database, where they can be edited, and as the table that core reckons by. */
import type { RateTable } from '../../core/interest.ts'
import { rateTableOf, shippedRates } from '../../core/reference-rates.ts'
import type { Db } from '../database/transaction.ts'

/** Brings the shipped rates into the database. Rows that somebody edited stay as they are. */
export async function loadShippedRates(db: Db): Promise<void> {
  await db`
    with shipped as (
      select * from jsonb_to_recordset(${db.json(shippedRates as never)})
        as s (series text, "from" date, rate numeric, source text, unverified boolean)
    ),
    stale as (
      select s.* from shipped s left join reference_rate r on r.series = s.series and r.valid_from = s."from"
      where r.series is null or (not r.edited and (r.rate, r.source, r.unverified) is distinct from (s.rate, s.source, s.unverified))
    )
    insert into reference_rate (series, valid_from, rate, source, unverified)
    select series, "from", rate, source, unverified from stale
    on conflict (series, valid_from) do update set rate = excluded.rate, source = excluded.source, unverified = excluded.unverified`
}

/** By version, which is a random value and so tells databases apart too. */
const tables = new Map<string, RateTable>()
const tablesMax = 8

/** The rates as they are. A table is made once per version; `version` is read with the case that is reckoned. */
export async function findRates(db: Db, version: string): Promise<RateTable> {
  const known = tables.get(version)
  if (known) return known
  const rows = await db<{ series: string; from: string; rate: string }[]>`
    select series, valid_from as from, trim_scale(rate)::text as rate from reference_rate`
  const table = rateTableOf(rows)
  if (tables.size >= tablesMax) tables.delete(tables.keys().next().value!)
  tables.set(version, table)
  return table
}

export async function findRatesNow(db: Db): Promise<RateTable> {
  const [row] = await db<{ version: string }[]>`select version from reference_version`
  return findRates(db, row!.version)
}
