/** Finds fewer operations with which a seed still fails in the same way. */
import type { RunResult } from './simulation.ts'

/** What a fault is about, without the records and requests that it names. */
export const faultKind = (fault: string): string =>
  fault
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replace(/\d+/g, '#')
    .slice(0, 50)

export async function shrink(
  failed: RunResult,
  run: (without: number[]) => Promise<RunResult>,
  triesMax: number,
): Promise<{ without: number[]; result: RunResult }> {
  const kinds = new Set(failed.faults.map(faultKind))
  let kept = Array.from({ length: failed.operations }, (_, number) => number)
  let without: number[] = []
  let result = failed
  let tries = 0
  for (let size = Math.ceil(kept.length / 2); size >= 1 && tries < triesMax;) {
    let shrunk = false
    for (let first = 0; first < kept.length && tries < triesMax;) {
      const dropped = kept.slice(first, first + size)
      const attempt = await run([...without, ...dropped])
      tries++
      if (attempt.faults.some((fault) => kinds.has(faultKind(fault)))) {
        without = [...without, ...dropped]
        kept = kept.filter((number) => !dropped.includes(number))
        result = attempt
        shrunk = true
      } else first += size
    }
    if (size === 1 && !shrunk) break
    size = size === 1 && shrunk ? 1 : Math.floor(size / 2)
  }
  return { without, result }
}
