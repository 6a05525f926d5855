/**
 * How long a payment plan takes to compute, beside `loanjs`, which makes the rows of a loan in doubles: no dates, fees,
 * deviations, accrued interest, several cases or annual percentage. `npm run bench -- plans`.
 */
import { Loan } from 'loanjs'
import { buildRateSteps } from '../../core/interest/interest.ts'
import { computePlan } from '../../core/plans/plan.ts'
import type { PlanTerms } from '../../core/plans/plan-terms.ts'
import { computeMedian } from '../report/statistics.ts'
import { formatTable, formatMark } from '../report/table.ts'

interface PlanCandidate {
  name: string
  payments: number
  terms: PlanTerms
  /** Microseconds. */
  target?: number
}

const rates = buildRateSteps({ kind: 'fixed', rate: '10' }, new Map())
const principal = 1_000_000n

const plainTerms = (numberOfPayments: number): PlanTerms => ({
  type: 1,
  startDate: '2026-01-15',
  cases: [{ invoices: [{ principal, rates }], interest: 0n, costs: 0n }],
  numberOfPayments,
})
const fullTerms = (numberOfPayments: number): PlanTerms => ({
  ...plainTerms(numberOfPayments),
  cases: [{ invoices: [{ principal, rates }], interest: 34_521n, costs: 24_000n }],
  registrationFee: 17_000n,
  invoiceFee: 6_000n,
  deviations: [{ paymentNo: 3, amount: 20_000n }],
})
const manyCases = (numberOfPayments: number): PlanTerms => ({
  ...fullTerms(numberOfPayments),
  cases: ['8', '10', '11.25', '24'].map((rate) => ({
    invoices: [{ principal: 250_000n, rates: buildRateSteps({ kind: 'fixed', rate }, new Map()) }],
    interest: 8_000n,
    costs: 6_000n,
  })),
})

const candidates: PlanCandidate[] = [
  { name: 'annuity, nothing else', payments: 36, terms: plainTerms(36) },
  { name: 'annuity, nothing else', payments: 360, terms: plainTerms(360) },
  { name: 'with fees and a deviation', payments: 36, terms: fullTerms(36), target: 30 },
  { name: 'with fees and a deviation', payments: 360, terms: fullTerms(360), target: 300 },
  { name: 'of four cases besides', payments: 36, terms: manyCases(36) },
  { name: 'linear, fees and a deviation', payments: 36, terms: { ...fullTerms(36), type: 3 } },
  {
    name: 'amount given',
    payments: 36,
    terms: { ...fullTerms(36), numberOfPayments: null, amount: 41_443n },
  },
  {
    name: 'debt relief',
    payments: 36,
    terms: { ...fullTerms(36), type: 5, amount: 20_000n, freeMonths: [6, 12] },
  },
]

/** The latest result, so that no computation can be left out. */
export let latest: unknown

/** Processor time of one call in microseconds: whatever else runs on the machine is left out. */
function measure(run: () => unknown, calls: number): number {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) latest = run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

/** Prints the table; both take turns, and the median of the rounds counts. */
export function runPlanBench(rounds = 11): void {
  const rows = candidates.map(({ name, payments, terms, target }) => {
    const plan = (): unknown => computePlan(terms)
    const loan = (): unknown => Loan(Number(principal) / 100, payments, 10, 'annuity')
    const calls = Math.ceil(40_000 / payments)
    measure(plan, calls * 2)
    measure(loan, calls * 2)
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      ours.push(measure(plan, calls))
      theirs.push(measure(loan, calls))
    }
    const [time, other] = [computeMedian(ours), computeMedian(theirs)]
    const reached = target === undefined ? '' : `< ${target} ${formatMark(time < target)}`
    return [name, String(payments), time.toFixed(1), reached, other.toFixed(1), (time / other).toFixed(2)]
  })
  const heading = ['plan', 'payments', 'µs', 'target', 'loanjs µs', 'ratio']
  process.stdout.write(`${formatTable(heading, rows)}\n`)
}
