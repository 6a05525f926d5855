/** All operations that a seed draws from. */
import { faults } from './faults.ts'
import { imports } from './imports.ts'
import { money } from './money.ts'
import type { Operation } from './operation.ts'
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
  ...faults.map((fault) => ({ ...fault, isAlone: true })),
]
