/** Recognises misspelt names of settings. */
import { editDistance } from '../../core/text/edit-distance.ts'

export interface NameSuggestions {
  /** The end of an error about an unknown name: the names that may be meant. */
  suggest(unknown: string): string
  /** True for a misspelt name without our prefix, such as `DATABSE_URL`, if the right one is unset. */
  isSlip(name: string, environment: Record<string, string | undefined>): boolean
}

export function nameSuggestions(settings: readonly string[]): NameSuggestions {
  const commonNames = settings.filter((name) => !name.startsWith('FORDRA_'))
  return {
    suggest: (unknown) => {
      const slips = commonNames.filter((name) => editDistance(name, unknown) <= 2)
      const near = slips.length > 0 ? slips : settings.filter((name) => isNear(name, unknown))
      return near.length > 0
        ? ` Did you mean ${near.join(' or ')}?`
        : ` The settings are ${settings.join(', ')}.`
    },
    isSlip: (other, environment) =>
      commonNames.some(
        (name) =>
          !environment[name] &&
          (name.length > 8 ? editDistance(name, other) <= 2 : sortLetters(name) === sortLetters(other)),
      ),
  }
}

const sortLetters = (name: string) => [...name].toSorted().join('')

const listWords = (name: string) => name.split('_').filter((word) => word !== 'FORDRA')

/** True if two names share a word besides our prefix, or differ by a typing mistake. */
function isNear(name: string, other: string): boolean {
  const [words, otherWords] = [listWords(name), listWords(other)]
  return (
    words.some((word) => otherWords.includes(word)) || editDistance(words.join(''), otherWords.join('')) <= 2
  )
}
