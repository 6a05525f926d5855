/** The wall clock of a database, set by hand: `now()` in statements, and in the defaults of the columns that tell when. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'

export interface SimulatedClock {
  /** An ISO instant. */
  now(): string
  set(instant: string): Promise<void>
}

/**
 * Connections by this address find the simulated `now()` before PostgreSQL's. Others go on by the real clock. They plan each
 * prepared statement once: planning took a fifth of PostgreSQL's time.
 */
export function bySimulatedClock(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set(
    'options',
    '-c search_path=simulated,pg_catalog,public -c plan_cache_mode=force_generic_plan',
  )
  return url.href
}

export async function installClock(sql: Sql, start: string): Promise<SimulatedClock> {
  let instant = start
  await sql.unsafe(`
    create schema simulated;
    create table simulated.clock (instant timestamptz not null);
    insert into simulated.clock values ('${start}');
    create function simulated.now() returns timestamptz language sql stable as 'select instant from simulated.clock';
    alter table message alter created_at set default simulated.now(), alter next_try_at set default simulated.now();
    alter table phone_call alter created_at set default simulated.now()`)
  return {
    now: () => instant,
    set: async (next) => {
      instant = next
      await sql`update simulated.clock set instant = ${next}`
    },
  }
}
