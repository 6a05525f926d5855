/** Names of things that come from the contract: translated where we have a word, else as the contract calls them. */
import { useTranslation } from 'react-i18next'
import { i18n } from './languages.ts'

export function labelOf(key: string, otherwise: string): string {
  return i18n.exists(key) ? (i18n.t as (key: string) => string)(key) : otherwise
}

/** The same, following a change of language. */
export function useLabels(): typeof labelOf {
  useTranslation()
  return labelOf
}
