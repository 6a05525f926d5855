/** All operations that a seed draws from. */
import { approvals } from './approvals.ts'
import { faults } from './faults.ts'
import { imports } from './imports.ts'
import { letters } from './letters.ts'
import { money } from './money.ts'
import type { Operation } from './operation.ts'
import { payouts } from './payouts.ts'
import { people } from './people.ts'
import { reads } from './reads.ts'
import { rights } from './rights.ts'
import { system } from './system.ts'
import { trials } from './trials.ts'

export const operations: readonly Operation[] = [
  ...people,
  ...money,
  ...system,
  ...reads,
  ...imports,
  ...trials,
  ...rights,
  ...approvals,
  ...payouts,
  ...letters,
  ...faults.map((fault) => ({ ...fault, isAlone: true })),
]
