/**
 * How fast the pure rules are on one core: interest periods, allocations, whole ledgers and answers of the law per second. The
 * target is a million interest periods a second. Run as `node bench/suites/core-money.ts`; it takes some seconds.
 */
import { allocate, allocationOrders, type Bucket } from '../../core/ledger/allocation.ts'
import { addDays, toDayNumber } from '../../core/calendar/calendar.ts'
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import type { LedgerInput, Movement } from '../../core/ledger/case-movement.ts'
import { interestNumerator, computeInterest, buildRateSteps } from '../../core/interest/interest.ts'
import { shippedRateTable, statutoryTerms } from '../../core/interest/reference-rates.ts'
import type { LegalCase } from '../../core/law/legal-case.ts'
import { judge } from '../../core/law/permissions.ts'
import { shippedFees } from '../../core/ledger/statutory-fees.ts'
import { formatTable } from '../report/table.ts'

const terms = statutoryTerms('SE', 'consumer', '2024-01-01')!
const steps = buildRateSteps(terms, shippedRateTable)
const start = toDayNumber('2024-01-01')

/** Keeps what is reckoned alive, so that nothing is left out as unused. */
let kept = 0n

const dates = Array.from({ length: 1000 }, (_, index) => addDays('2024-01-01', index))

const buckets: Bucket[] = ['A', 'B', 'C'].flatMap((claim, index): Bucket[] => [
  { claim, component: 'principal', dueDate: `2026-0${3 - index}-01`, owed: 100_000n },
  { claim, component: 'interest', dueDate: `2026-0${3 - index}-01`, owed: 1000n },
  { claim, component: 'cost', dueDate: `2026-0${3 - index}-01`, owed: 18_000n },
])

const movements = Array.from({ length: 4 }, (_, index): Movement => ({
  id: `m${index}`,
  kind: 'payment',
  amount: 10_000n,
  valueDate: addDays('2025-01-01', 30 * (index + 1)),
  booking: index,
}))
const input: LedgerInput = {
  opening: {
    registeredOn: '2025-01-01',
    claims: [
      { id: 'A', principal: 1_000_000n, dueDate: '2024-12-01', interestFrom: '2024-12-01', terms: null },
    ],
    interest: 0n,
    cost: 18_000n,
    terms,
  },
  movements,
  order: allocationOrders.COST_INTEREST_PRINCIPAL,
  tolerance: 0n,
  rates: shippedRateTable,
}

const lawCase: LegalCase = {
  country: 'NO',
  debtor: 'consumer',
  currency: 'NOK',
  principal: 500_000n,
  dueDate: '2023-12-01',
  circumstances: [],
  isEnforceable: false,
  hasGuardian: false,
  reminderFeeAgreed: true,
  noticeDeadline: null,
  fees: [{ type: 'reminder', amount: 3500n, date: '2023-12-20' }],
  letters: [{ kind: 'reminder', date: '2023-12-20', due: '2024-01-05' }],
}
const norwegianFees = shippedFees.filter(({ country }) => country === 'NO')

const scenarios: [name: string, count: number, run: (index: number) => bigint, target: number | null][] = [
  [
    'interest period, by day numbers, exact',
    2_000_000,
    (index) => interestNumerator(1_000_000n, steps, start, start + (index % 1000)),
    1_000_000,
  ],
  [
    'interest period, by dates, rounded',
    2_000_000,
    (index) => computeInterest(1_000_000n + BigInt(index), steps, dates[0]!, dates[index % 1000]!),
    1_000_000,
  ],
  [
    'allocation over three invoices',
    300_000,
    (index) => allocate(BigInt(index), buckets, allocationOrders.COST_INTEREST_PRINCIPAL).surplus,
    null,
  ],
  [
    'ledger of a case with four payments',
    30_000,
    (index) => deriveLedger(input, dates[500 + (index % 500)]!).accrued,
    null,
  ],
  [
    'law: may this fee be charged to this case, and up to what amount',
    300_000,
    (index) =>
      judge(lawCase, { action: 'fee:reminder', date: dates[index % 1000]! }, norwegianFees).highest ?? 0n,
    50_000,
  ],
]

function measure(run: (index: number) => bigint, count: number): number {
  for (let index = 0; index < count / 10; index++) kept += run(index)
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) kept += run(index)
  const { user, system } = process.cpuUsage(before)
  return count / ((user + system) / 1e6)
}

const rows = scenarios.map(([name, count, run, target]) => {
  const perSecond = measure(run, count)
  const mark = target === null ? '' : perSecond >= target ? 'yes' : 'NO'
  return [name, Math.round(perSecond).toLocaleString('en'), target?.toLocaleString('en') ?? '', mark]
})
console.log(formatTable(['per second of one core', 'measured', 'target', 'met'], rows))
if (kept < 0n) console.log(kept)
