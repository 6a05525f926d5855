/** The console's menu (S6). A caller sees a place when they may call the operation, or open the form, that it names. */
import { administration } from './administration.ts'
import { casework } from './casework.ts'
import { money } from './money.ts'
import type { Section } from './section.ts'

export const sections: readonly Section[] = [...casework, ...money, ...administration]
