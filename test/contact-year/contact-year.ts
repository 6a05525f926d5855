/** `npm run contact-year`: how many contacts of a simulated year were not permitted. Exits with 1 if there were any. */
import { parseArgs } from 'node:util'
import { runParts, sumParts } from './parts.ts'
import { describeFaults } from './year.ts'

const { values } = parseArgs({
  options: {
    debtors: { type: 'string', default: '1000' },
    days: { type: 'string', default: '365' },
    seed: { type: 'string', default: '1' },
    parts: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
})
const readWhole = (option: 'debtors' | 'days' | 'seed' | 'parts'): number => {
  const number = Number(values[option])
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${option} must be a whole number above 0, such as 10.`)
}

const [debtors, days, seed, count] = [
  readWhole('debtors'),
  readWhole('days'),
  readWhole('seed'),
  readWhole('parts'),
]
if (count > debtors) throw new Error('--parts must be at most the number of debtors.')
const parts = await runParts({
  debtors,
  days,
  seed,
  parts: count,
  folder: values.keep ?? null,
  onDay: (day, { contacts, faults }) => {
    if (day % 10 === 9)
      process.stderr.write(
        `Day ${day + 1} of ${days}: ${JSON.stringify(contacts)}, ${faults.length} not permitted\n`,
      )
  },
  onPart: (part, index) => {
    const { notPermitted, seconds } = sumParts([part])
    process.stderr.write(`Part ${index + 1} of ${count}: ${notPermitted} not permitted, ${seconds} s\n`)
  },
})
const faults = parts.flatMap((part) => part.faults.map((fault) => ({ seed: part.seed, ...fault })))
process.stdout.write(`${JSON.stringify({ days, seed, parts: count, ...sumParts(parts) })}\n`)
for (const [rule, times] of describeFaults(faults)) process.stdout.write(`${times} × ${rule}\n`)
for (const fault of faults.slice(0, 20)) process.stdout.write(`${JSON.stringify(fault)}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
