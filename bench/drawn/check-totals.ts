/** Compares the totals of the service with counts of the database while others read and write. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import type { DrawnRead } from './drawn-reads.ts'

export interface Checks {
  /** The count was the same before and after, and the total was it. */
  exact: number
  /** The count changed meanwhile, and the total was between both. */
  between: number
  wrong: string[]
}

const pauseMs = 50

type Counted = Required<Pick<DrawnRead, 'count'>> & DrawnRead

/** @returns undefined for a right total. */
function judgeTotal(total: number, before: number, after: number): 'exact' | 'between' | undefined {
  if (before === after && total === before) return 'exact'
  const [least, most] = before < after ? [before, after] : [after, before]
  return before !== after && total >= least && total <= most ? 'between' : undefined
}

export function startTotalChecks(
  sql: Sql,
  { address, token }: { address: string; token: string },
  reads: readonly DrawnRead[],
): { stop(): Promise<Checks> } {
  const counted = reads.filter((read): read is Counted => read.count !== undefined)
  const checks: Checks = { exact: 0, between: 0, wrong: [] }
  const count = async ({ text, parameters }: Counted['count']) =>
    (await sql.unsafe<{ total: number }[]>(text, parameters))[0]!.total
  const check = async (read: Counted) => {
    const before = await count(read.count)
    const answer = await fetch(address + read.product.path, { headers: { authorization: `Bearer ${token}` } })
    const { total } = (await answer.json()) as { total: number }
    const after = await count(read.count)
    const verdict = judgeTotal(total, before, after)
    if (verdict) checks[verdict]++
    else checks.wrong.push(`${read.product.path}: ${total}, counted ${before} before and ${after} after`)
  }
  const stopping = new AbortController()
  const work = async () => {
    for (let next = 0; !stopping.signal.aborted && counted.length > 0; next++) {
      await check(counted[next % counted.length]!)
      // So seldom that the checks take little of the machine.
      await sleep(pauseMs)
    }
  }
  const running = work()
  return {
    stop: async () => {
      stopping.abort()
      await running
      return checks
    },
  }
}
