/** A payment plan drawn as SVG: a bar per payment, stacked of fees, interest and principal, and the balance as a line. */
import { buildRateSteps } from '../core/interest/interest.ts'
import { formatMinor } from '../core/money/money.ts'
import { computePlan } from '../core/plans/plan.ts'
import type { PaymentPlan, PlanTerms, PlanType } from '../core/plans/plan-terms.ts'

const terms: PlanTerms = {
  type: 1,
  startDate: '2026-01-15',
  firstDueDate: '2026-02-28',
  cases: [
    {
      invoices: [{ principal: 1_000_000n, rates: buildRateSteps({ kind: 'fixed', rate: '10' }, new Map()) }],
      interest: 34_521n,
      costs: 24_000n,
    },
  ],
  registrationFee: 17_000n,
  invoiceFee: 6_000n,
  freeMonths: [6, 12],
}

const pictures: { type: PlanType; name: string; title: string; changes: Partial<PlanTerms> }[] = [
  { type: 1, name: 'annuity', title: 'Annuity: 12 equal payments', changes: { numberOfPayments: 12 } },
  {
    type: 2,
    name: 'annuity-limited',
    title: 'Annuity limited: 9 payments of 1000.00, the rest stays outstanding',
    changes: { numberOfPayments: 9, amount: 100_000n },
  },
  {
    type: 3,
    name: 'linear',
    title: 'Linear: principal in 12 equal parts',
    changes: { numberOfPayments: 12 },
  },
  {
    type: 4,
    name: 'linear-limited',
    title: 'Linear limited: 9 payments of 800.00 of principal, the rest stays outstanding',
    changes: { numberOfPayments: 9, amount: 80_000n },
  },
  {
    type: 5,
    name: 'debt-relief',
    title: 'Debt relief: 12 payments of 250.00, June and December free, the rest is written off',
    changes: { numberOfPayments: 12, amount: 25_000n },
  },
]

/** The pictures by file name, each of a claim of 10,585.21 at 10 % with a registration fee of 170 and 60 per invoice. */
export const drawPictures = (): Map<string, string> =>
  new Map(
    pictures.map(({ type, name, title, changes }) => {
      const outcome = computePlan({ ...terms, ...changes, type })
      if (!outcome.ok) throw new Error(`${name}: ${outcome.error.code}`)
      return [`type-${type}-${name}.svg`, drawPlan(outcome.plan, title)]
    }),
  )

const size = { width: 760, height: 320, left: 70, right: 70, top: 56, bottom: 50 }
const parts = [
  { member: 'instalment', label: 'principal', colour: '#0072b2' },
  { member: 'interest', label: 'interest', colour: '#e69f00' },
  { member: 'fee', label: 'fees and costs', colour: '#999999' },
] as const
const lineColour = '#d55e00'

function drawPlan(plan: PaymentPlan, title: string): string {
  const { rows, left } = plan
  const plot = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom }
  const highest = Number(rows.reduce((most, { amount }) => (amount > most ? amount : most), 0n))
  const opening = rows[0]!.balance + rows[0]!.instalment
  const slot = plot.width / rows.length
  const base = size.top + plot.height
  const bars = rows.flatMap((row, index) => {
    let top = base
    return parts.flatMap(({ member, colour }) => {
      const height = (Number(row[member]) / highest) * plot.height
      if (height === 0) return []
      top -= height
      return `<rect x="${fix(size.left + index * slot + slot * 0.15)}" y="${fix(top)}" width="${fix(slot * 0.7)}" height="${fix(height)}" fill="${colour}"/>`
    })
  })
  const points = [opening, ...rows.map(({ balance }) => balance)].map((balance, index) => {
    const x = size.left + (index === 0 ? 0 : (index - 0.5) * slot)
    return `${fix(x)},${fix(base - (Number(balance) / Number(opening)) * plot.height)}`
  })
  const dates = rows.map(
    ({ dueDate }, index) =>
      `<text x="${fix(size.left + (index + 0.5) * slot)}" y="${base + 16}" text-anchor="middle">${dueDate.slice(2, 7)}</text>`,
  )
  const percentage =
    plan.annualPercentage === null ? '' : `, annual percentage ${plan.annualPercentage.toFixed(2)}`
  const summary = `paid ${write(plan.totals.amount)}, left ${write(left.total)}${percentage}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="11" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect width="${size.width}" height="${size.height}" fill="#ffffff"/>`,
    `<text x="${size.left}" y="20" font-size="14" font-weight="bold">${title}</text>`,
    `<text x="${size.left}" y="38">${summary}</text>`,
    ...drawAxes(highest, Number(opening), plot, base),
    ...bars,
    `<polyline points="${points.join(' ')}" fill="none" stroke="${lineColour}" stroke-width="2"/>`,
    ...dates,
    ...drawLegend(),
    '</svg>',
    '',
  ].join('\n')
}

/** Quarters of the highest payment to the left, of the balance at the start to the right. */
const drawAxes = (
  highest: number,
  opening: number,
  plot: { width: number; height: number },
  base: number,
): string[] =>
  [0, 1, 2, 3, 4].flatMap((quarter) => {
    const y = fix(base - (plot.height * quarter) / 4)
    const end = size.left + plot.width
    const amount = (most: number): string => write(BigInt(Math.round((most * quarter) / 4)))
    return [
      `<line x1="${size.left}" x2="${end}" y1="${y}" y2="${y}" stroke="#dddddd"/>`,
      `<text x="${size.left - 6}" y="${y}" text-anchor="end" dominant-baseline="middle">${amount(highest)}</text>`,
      `<text x="${end + 6}" y="${y}" dominant-baseline="middle" fill="${lineColour}">${amount(opening)}</text>`,
    ]
  })

const drawLegend = (): string[] =>
  [...parts, { label: 'balance (right scale)', colour: lineColour }].flatMap(({ label, colour }, index) => {
    const [x, y] = [size.left + index * 140, size.height - 16]
    return [
      `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour}"/>`,
      `<text x="${x + 15}" y="${y}">${label}</text>`,
    ]
  })

const write = (minor: bigint): string => formatMinor(minor, 'SEK')
const fix = (value: number): string => String(Math.round(value * 10) / 10)
