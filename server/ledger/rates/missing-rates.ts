/** Tells of reference rates that are missing or soon will be: in the day-end's result and as a metric. */
import { findMissingRates, type MissingRate } from '../../../core/interest/rate-watch.ts'
import type { DayEndStep } from '../../access/serve/slice.ts'
import type { ChunkedWork } from '../../platform/jobs/chunked-work.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findRatesNow } from './reference-rates.store.ts'

/** The rates that are missing on the business date, or will be soon after it. */
export async function listMissingRates(db: Db): Promise<MissingRate[]> {
  const [clock] = await db<{ today: string }[]>`select business_date as today from business_clock`
  return findMissingRates(await findRatesNow(db), clock!.today, await listFollowedSeries(db))
}

/** The series that the interest of a client follows, and those of the clients' countries. */
async function listFollowedSeries(db: Db): Promise<Set<string>> {
  const rows = await db<{ series: string }[]>`
    select interest_series as series from party where interest_series is not null
    union select country_code from party where country_code is not null`
  return new Set(rows.map(({ series }) => series))
}

export const missingRatesWork: ChunkedWork<{ missing: string[] }, null> = {
  none: { missing: [] },
  count: async () => 0,
  run: async (tx, _state, { businessDate }) => {
    const missing = findMissingRates(await findRatesNow(tx), businessDate, await listFollowedSeries(tx))
    const told = missing.map(({ series, from }) => `${series} ${from}`)
    return { figures: { missing: told }, place: null, isDone: true, worked: 0 }
  },
}

export const missingRatesStep: DayEndStep = { name: 'reference-rates', work: missingRatesWork }
