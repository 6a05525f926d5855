/** `npm run contact-year`: how many contacts of a simulated year were not permitted. Exits with 1 if there were any. */
import { parseArgs } from 'node:util'
import { describeFaults, runYear } from './year.ts'

const { values } = parseArgs({
  options: {
    debtors: { type: 'string', default: '1000' },
    days: { type: 'string', default: '365' },
    seed: { type: 'string', default: '1' },
  },
})
const readWhole = (option: 'debtors' | 'days' | 'seed'): number => {
  const number = Number(values[option])
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${option} must be a whole number above 0, such as 10.`)
}

const [debtors, days, seed] = [readWhole('debtors'), readWhole('days'), readWhole('seed')]
const year = await runYear({
  debtors,
  days,
  seed,
  onDay: (day, { contacts, faults }) => {
    if (day % 10 === 9)
      process.stderr.write(
        `Day ${day + 1} of ${days}: ${JSON.stringify(contacts)}, ${faults.length} not permitted\n`,
      )
  },
})
const { contacts, callsNotMade, changes, held, faults } = year
process.stdout.write(
  `${JSON.stringify({ debtors, days, seed, contacts, callsNotMade, changes, held, notPermitted: faults.length })}\n`,
)
for (const [rule, count] of describeFaults(faults)) process.stdout.write(`${count} × ${rule}\n`)
for (const fault of faults.slice(0, 20)) process.stdout.write(`${JSON.stringify(fault)}\n`)
await year.close()
process.exitCode = faults.length > 0 ? 1 : 0
