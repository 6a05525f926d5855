/** The console's sections (S6): what each opens decides who sees it, so that it appears by itself when that exists. */
import { administration } from './navigation/administration.ts'
import { casework } from './navigation/casework.ts'
import { money } from './navigation/money.ts'
import type { Section } from './navigation/section.ts'

export const sections: readonly Section[] = [...casework, ...money, ...administration]
