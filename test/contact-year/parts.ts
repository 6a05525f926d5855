/**
 * A year of many debtors in parts: each is a population of its own, drawn by a seed of its own. What a part found is kept
 * in a file, so that a run that was interrupted goes on with the parts that are missing.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Channel } from './judge.ts'
import { runYear, type Fault, type YearOptions } from './year.ts'

export interface PartResult {
  debtors: number
  days: number
  seed: number
  contacts: Record<Channel, number>
  callsNotMade: number
  changes: number
  held: Record<string, number>
  faults: Fault[]
  seconds: number
}

export interface PartedYear {
  debtors: number
  days: number
  /** The seed of the first part; the next one has the next seed. */
  seed: number
  parts: number
  /** Where the results are kept. Null keeps none. */
  folder: string | null
  onDay?: YearOptions['onDay']
  onPart?(part: PartResult, index: number): void
}

/** The results of all parts, in the order of their seeds. */
export async function runParts(year: PartedYear, run = runPart): Promise<PartResult[]> {
  const { debtors, days, seed, parts, folder, onDay, onPart } = year
  const results: PartResult[] = []
  for (let index = 0; index < parts; index++) {
    const size = Math.floor(((index + 1) * debtors) / parts) - Math.floor((index * debtors) / parts)
    const options = { debtors: size, days, seed: seed + index, ...(onDay && { onDay }) }
    const part = readPart(folder, options) ?? (await run(options))
    keepPart(folder, part)
    results.push(part)
    onPart?.(part, index)
  }
  return results
}

async function runPart(options: YearOptions): Promise<PartResult> {
  const begun = Date.now()
  const { close, ...found } = await runYear(options)
  await close()
  const { debtors, days, seed } = options
  return { debtors, days, seed, ...found, seconds: Math.round((Date.now() - begun) / 1000) }
}

type PartKey = Pick<PartResult, 'debtors' | 'days' | 'seed'>

const partFile = (folder: string, { debtors, days, seed }: PartKey) =>
  join(folder, `seed-${seed}-debtors-${debtors}-days-${days}.json`)

function readPart(folder: string | null, key: PartKey): PartResult | null {
  if (folder === null) return null
  try {
    return JSON.parse(readFileSync(partFile(folder, key), 'utf8')) as PartResult
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whole or not at all. */
function keepPart(folder: string | null, part: PartResult): void {
  if (folder === null) return
  mkdirSync(folder, { recursive: true })
  const file = partFile(folder, part)
  writeFileSync(`${file}.new`, JSON.stringify(part))
  renameSync(`${file}.new`, file)
}

/** All parts counted together. */
export function sumParts(parts: readonly PartResult[]): Omit<PartResult, 'seed' | 'days' | 'faults'> & {
  notPermitted: number
} {
  const add = (of: (part: PartResult) => number) => parts.reduce((sum, part) => sum + of(part), 0)
  const channels = ['email', 'sms', 'letter', 'telephone'] as const
  const reasons = [...new Set(parts.flatMap(({ held }) => Object.keys(held)))].toSorted()
  return {
    debtors: add((part) => part.debtors),
    contacts: Object.fromEntries(
      channels.map((channel) => [channel, add(({ contacts }) => contacts[channel])]),
    ) as Record<Channel, number>,
    callsNotMade: add((part) => part.callsNotMade),
    changes: add((part) => part.changes),
    held: Object.fromEntries(reasons.map((reason) => [reason, add(({ held }) => held[reason] ?? 0)])),
    seconds: add((part) => part.seconds),
    notPermitted: add(({ faults }) => faults.length),
  }
}
