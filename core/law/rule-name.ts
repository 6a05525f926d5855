/** The rules of the law packs by the names that people read. */
import { findText, type texts } from '../text/texts.ts'
import { citeRule } from './packs.ts'

type Language = keyof typeof texts

interface CitedRule {
  code: string
  source: string
  paragraph: string
}

/** The key of a rule's name is its code, or its code without the country: countries with the same rule share its name. */
const ruleNameKeys = (code: string): string[] => [`lawrule.${code}`, `lawrule.${code.slice(3)}`]

/** The code where no text names the rule. */
export const nameRule = (language: Language, code: string): string =>
  findText(language, 'lookup', ...ruleNameKeys(code)) ?? code

/** The rule's name and its source. */
export const describeRule = (language: Language, rule: CitedRule): string =>
  `${nameRule(language, rule.code)}: ${citeRule(rule.code.slice(0, 2), rule)}`
