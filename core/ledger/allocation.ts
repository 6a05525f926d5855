/**
 * How money that comes in is shared out: an ordered list of components, and within one the claim that fell due first.
 *
 * Sources of the orders: costs, interest, principal is BGB § 367(1), handelsbalken 9 kap. 5 § with practice in SE, and
 * practice in NO, DK, FI and IS; the order of a consumer credit in DE is BGB § 497(3). Client and case may have their own.
 */

export const components = ['principal', 'interest', 'cost'] as const
export type Component = (typeof components)[number]

/** Each component once, the first paid first. */
export type AllocationOrder = readonly [Component, Component, Component]

/** The orders to choose from, by code. */
export const allocationOrders = {
  COST_INTEREST_PRINCIPAL: ['cost', 'interest', 'principal'],
  COST_PRINCIPAL_INTEREST: ['cost', 'principal', 'interest'],
  INTEREST_COST_PRINCIPAL: ['interest', 'cost', 'principal'],
  INTEREST_PRINCIPAL_COST: ['interest', 'principal', 'cost'],
  PRINCIPAL_COST_INTEREST: ['principal', 'cost', 'interest'],
  PRINCIPAL_INTEREST_COST: ['principal', 'interest', 'cost'],
} as const satisfies Record<string, AllocationOrder>

export type AllocationOrderCode = keyof typeof allocationOrders
export const allocationOrderCodes = Object.keys(allocationOrders) as AllocationOrderCode[]

/** Where a country's practice or law has no other; DE's for consumer credit is COST_PRINCIPAL_INTEREST. */
export const defaultAllocationOrder: AllocationOrderCode = 'COST_INTEREST_PRINCIPAL'

/** What is owed of one component of one claim; `claim` is null for what belongs to the case as a whole. */
export interface Bucket {
  claim: string | null
  component: Component
  /** The claim's due date; null comes before every date, as what belongs to the whole case does. */
  dueDate: string | null
  /** Zero or more, in minor units. */
  owed: bigint
}

export interface AllocationLine {
  claim: string | null
  component: Component
  amount: bigint
}

export interface Allocation {
  /** One line per bucket that got something, in the order they were paid. */
  lines: AllocationLine[]
  /** What no bucket took. */
  surplus: bigint
}

/**
 * Shares an amount (zero or more, minor units) out over buckets: by component in the given order, within it by due
 * date, among equals in the order given. The lines and the surplus sum to the amount, and no bucket gets more than it
 * is owed. A component that isn't in `order` gets nothing.
 */
export function allocate(
  amount: bigint,
  buckets: readonly Bucket[],
  order: readonly Component[],
): Allocation {
  if (amount < 0n) throw new RangeError('Only an amount of zero or more is allocated.')
  const lines: AllocationLine[] = []
  let left = amount
  for (const component of order) {
    for (const { claim, owed } of dueFirst(buckets, component)) {
      if (left === 0n) return { lines, surplus: 0n }
      const part = owed < left ? owed : left
      if (part <= 0n) continue
      lines.push({ claim, component, amount: part })
      left -= part
    }
  }
  return { lines, surplus: left }
}

function dueFirst(buckets: readonly Bucket[], component: Component): Bucket[] {
  const own = buckets.filter((bucket) => bucket.component === component)
  return own.length < 2 ? own : own.toSorted((a, b) => byText(a.dueDate ?? '', b.dueDate ?? ''))
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
