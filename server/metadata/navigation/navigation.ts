/** The console's sections (S6): what each opens decides who sees it, so that it appears by itself when that exists. */
import { administration } from './administration.ts'
import { casework } from './casework.ts'
import { money } from './money.ts'
import type { Section } from './section.ts'

export const sections: readonly Section[] = [...casework, ...money, ...administration]
