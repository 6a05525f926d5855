/** What the service refuses, in the user's language. Its words are loaded with the first refusal. */
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { codeLabel } from './labels.ts'
import { i18n, loadLaterTexts } from './languages.ts'

let patterns: typeof import('../../../core/text/refusals.ts') | undefined

/** Without them, as when the service cannot be reached, a refusal is shown as the service says it. */
export async function loadRefusals(): Promise<void> {
  if (patterns) return
  try {
    const [loaded] = await Promise.all([import('../../../core/text/refusals.ts'), loadLaterTexts()])
    patterns = loaded
  } catch {
    // Tried again with the next refusal.
  }
}

/** Undefined for a message without words of its own. */
export function refusalText(message: string): string | undefined {
  const refusal = patterns?.findRefusal(message)
  const text: unknown = refusal && i18n.getResource(i18n.language, 'translation', `refusal.${refusal.key}`)
  if (typeof text !== 'string') return undefined
  const values = Object.entries(refusal!.values).map(([name, value]) => [name, labelCodes(name, value)])
  return fillPlaceholders(text, Object.fromEntries(values) as Record<string, string>)
}

const places: Readonly<Record<string, string>> = {
  otherStatus: 'status',
  statuses: 'status',
  subStatuses: 'subStatus',
}

/** The labels of codes, of which a place may have several: `NEW, AMICABLE`. */
const labelCodes = (place: string, value: string): string =>
  value
    .split(', ')
    .map((code) => codeLabel(places[place] ?? place, code))
    .join(', ')
