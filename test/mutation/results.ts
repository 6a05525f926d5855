/** What earlier runs found, in a file that git ignores: one line for each outcome, the later one counting. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const file = 'coverage/mutation.jsonl'

/** A test file on the code as it is. */
export interface Baseline {
  hash: string
  milliseconds: number
  steps: number
  /** The functions it calls, as `file#number` in the file. */
  called: string[]
}

/** Test files with the hash under which they passed, or the one that did not. */
export interface Result {
  status: 'killed' | 'endless' | 'survived'
  tests: Record<string, string>
}

export const baselines = new Map<string, Baseline>()
export const results = new Map<string, Result>()

const mapByKind = { baseline: baselines, result: results } as Record<string, Map<string, unknown>>

if (existsSync(file)) {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!line.endsWith('}')) continue
    const { kind, key, ...rest } = JSON.parse(line) as { kind: string; key: string }
    mapByKind[kind]?.set(key, rest)
  }
} else mkdirSync(dirname(file), { recursive: true })

function keep(kind: 'baseline' | 'result', key: string, value: Baseline | Result): void {
  mapByKind[kind]!.set(key, value)
  appendFileSync(file, `${JSON.stringify({ kind, key, ...value })}\n`)
}

export const keepBaseline = (testFile: string, baseline: Baseline) => keep('baseline', testFile, baseline)
export const keepResult = (key: string, result: Result) => keep('result', key, result)
