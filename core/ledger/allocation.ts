/**
 * Allocates incoming money: in the order of components, and within a component to the claim that fell due
 * first.
 *
 * Sources of the orders: costs, interest, principal is BGB § 367(1), handelsbalken 9 kap. 5 § with practice
 * in SE, and practice in NO, DK, FI and IS. Client and case may have their own order: consumer credit in DE needs
 * COST_PRINCIPAL_INTEREST (BGB § 497(3)), which nothing sets by itself.
 */

export const components = ['principal', 'interest', 'cost'] as const
export type Component = (typeof components)[number]

/** Each component once. The first is paid first. */
export type AllocationOrder = readonly [Component, Component, Component]

/** The available orders by code. */
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

export const defaultAllocationOrder: AllocationOrderCode = 'COST_INTEREST_PRINCIPAL'

/** The amount owed on one component of one claim. `claim` is null for amounts of the whole case. */
export interface Bucket {
  claim: string | null
  component: Component
  /** The due date of the claim. Null sorts before every date and applies to the whole case. */
  dueDate: string | null
  /** Minor units, zero or more. */
  owed: bigint
}

export interface AllocationLine {
  claim: string | null
  component: Component
  amount: bigint
}

export interface Allocation {
  /** One line per bucket that received an amount, in order of payment. */
  lines: AllocationLine[]
  /** The part of the amount that no bucket absorbed. */
  surplus: bigint
}

/**
 * Allocates an amount (minor units, zero or more) to buckets: by component in the given order, then by due
 * date, then in the given sequence. Lines and surplus sum to the amount. No bucket gets more than it is owed,
 * and a component missing in `order` gets nothing. Throws RangeError for a negative amount.
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
