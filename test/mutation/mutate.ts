/** Mutation testing of the money modules of core/. See README.md beside this file. */
import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import equivalents from './equivalent.json' with { type: 'json' }
import { judge, knownResult, leaveOut, measureBaselines, ownTests } from './judge.ts'
import { findMutants, type Mutant } from './mutants.ts'
import { stopWorker } from './run-worker.ts'
import { moduleFiles, modules, readText } from './sources.ts'

const { values } = parseArgs({
  options: {
    module: { type: 'string', multiple: true, default: Object.keys(modules) },
    file: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    every: { type: 'string', default: '1' },
    survivors: { type: 'boolean', default: false },
  },
})

/** Mutants of one line that change nothing, and why. */
interface Argument {
  file: string
  before: string
  after: string[]
  reason: string
}

interface Figures {
  found: number
  run: number
  killed: number
  endless: number
  equivalent: number
  survived: Mutant[]
}

const report = (line: string): void => void process.stderr.write(`${line}\n`)
const describeMutant = ({ file, before, after }: Pick<Mutant, 'file' | 'before' | 'after'>): string =>
  `${file}: ${before} → ${after}`
const argued = new Set(
  (equivalents as Argument[]).flatMap(({ after, ...rest }) =>
    after.map((one) => describeMutant({ ...rest, after: one })),
  ),
)
/** Arguments about mutants that are no more, or that a test kills. */
const stale = new Set<string>()

async function runModule(module: string): Promise<Figures> {
  const files = moduleFiles(module).filter((file) => !values.file || file.includes(values.file))
  const found = files.flatMap((file) => findMutants(file, readText(file)))
  const chosen = found.filter((_, index) => index % Number(values.every) === 0)
  const figures: Figures = { found: found.length, run: 0, killed: 0, endless: 0, equivalent: 0, survived: [] }
  const seen = new Set<string>()
  const start = performance.now()
  for (const mutant of chosen) {
    const { status } = knownResult(mutant) ?? (await judge(mutant))
    const text = describeMutant(mutant)
    seen.add(text)
    figures.run++
    if (status !== 'survived') {
      figures[status]++
      if (argued.has(text)) stale.add(text)
    } else if (argued.has(text)) figures.equivalent++
    else figures.survived.push(mutant)
    if (figures.run % 50 === 0)
      report(`${describe(module, figures)} ${Math.round((performance.now() - start) / 1000)} s`)
  }
  const isWhole = chosen.length === found.length && !values.file
  const own = [...argued].filter((text) => files.some((file) => text.startsWith(`${file}: `)))
  for (const text of own) if (isWhole && !seen.has(text)) stale.add(text)
  return figures
}

function describe(module: string, { found, run, killed, endless, equivalent, survived }: Figures): string {
  const share = (100 * (killed + endless)) / Math.max(1, run - equivalent)
  const counts = [module, found, run, killed, endless, equivalent, survived.length, `${share.toFixed(1)} %`]
  return `| ${counts.join(' | ')} |`
}

setPriority(19)
const all = values.module.flatMap(moduleFiles)
await measureBaselines([...new Set(all.flatMap(ownTests))], report)
leaveOut(values.without)
const lines: string[] = []
let good = true
for (const module of values.module) {
  const figures = await runModule(module)
  lines.push(describe(module, figures))
  good &&= figures.killed + figures.endless >= 0.85 * (figures.run - figures.equivalent)
  if (values.survivors)
    for (const { file, line, before, after } of figures.survived)
      process.stdout.write(`${file}:${line}\n  ${before}\n  ${after}\n`)
}
stopWorker()
process.stdout.write(
  [
    '| module | mutants | run | killed | endless | equivalent | survived | share |',
    '| --- | --: | --: | --: | --: | --: | --: | --: |',
    ...lines,
    '',
  ].join('\n'),
)
for (const text of stale) report(`No mutant that survives: ${text}`)
process.exitCode = good && stale.size === 0 ? 0 : 1
