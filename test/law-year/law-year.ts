/** `npm run law-year`: what an agency did in a year that the law does not allow. Exits with 1 if there was anything. */
import { parseArgs } from 'node:util'
import { runLawYear } from './year.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '40' },
    days: { type: 'string', default: '364' },
    seed: { type: 'string', default: '1' },
  },
})
const readWhole = (option: 'cases' | 'days' | 'seed'): number => {
  const number = Number(values[option])
  if (Number.isInteger(number) && number > 0 && !(option === 'days' && number > 365)) return number
  throw new Error(`--${option} must be a whole number above 0, such as 10. --days is at most 365.`)
}

const [cases, days, seed] = [readWhole('cases'), readWhole('days'), readWhole('seed')]
const year = await runLawYear({
  cases,
  days,
  seed,
  onDay: (day) => {
    if (day % 10 === 9) process.stderr.write(`Day ${day + 1} of ${days}\n`)
  },
})
const { letters, fees, interests, acts, faults } = year
process.stdout.write(
  `${JSON.stringify({ cases, days, seed, letters, fees, interests, acts, faults: faults.length })}\n`,
)
for (const fault of faults.slice(0, 50)) process.stdout.write(`${JSON.stringify(fault)}\n`)
await year.close()
process.exitCode = faults.length > 0 ? 1 : 0
