/** The plans of the statements that the scenarios run: the ones with the values and, where prepared, the generic one. */
import { openDatabase } from '../../server/platform/database/database.ts'
import type { Scenario, Supply } from './scenarios.ts'
import { fillParameters } from './statements.ts'

export async function printPlans(
  url: string,
  chosen: readonly Scenario[],
  supply: Supply & { keys: string[] },
): Promise<void> {
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    for (const scenario of chosen) {
      for (const statement of (await scenario.statements(url, supply)).flat()) {
        if (statement.text.includes('insert into')) continue
        process.stdout.write(
          `\n== ${scenario.name}${statement.prepared ? ' (prepared, generic plan)' : ''}\n${statement.text}\n`,
        )
        await sql.unsafe(`set plan_cache_mode = ${statement.prepared ? 'force_generic_plan' : 'auto'}`)
        const rows = await sql.unsafe<{ 'QUERY PLAN': string }[]>(
          `explain (analyze, buffers, settings) ${statement.text}`,
          fillParameters(statement, supply.nextKey()),
        )
        process.stdout.write(`\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`)
      }
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
