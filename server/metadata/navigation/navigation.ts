/** The console's menu (S6). A caller sees a place when they may call the operation, or open the form, that it names. */
import { monitoring, setUp } from './administration.ts'
import { casework } from './casework.ts'
import { clients, money } from './money.ts'
import type { Section } from './section.ts'

/** The groups in their order. Their labels are `navigation.group.<code>`. */
export const groups = {
  work: casework,
  money,
  clients,
  setup: setUp,
  monitoring,
} as const satisfies Record<string, readonly Section[]>
export type GroupCode = keyof typeof groups

export const sections: readonly (Section & { group: GroupCode })[] = (
  Object.entries(groups) as [GroupCode, readonly Section[]][]
).flatMap(([group, members]) => members.map((section) => ({ ...section, group })))
