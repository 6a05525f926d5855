/** What the service refuses, in the user's language. Its words are loaded with the first refusal. */
import { i18n, loadLaterTexts } from './languages.ts'

type Words = Pick<typeof import('../../../core/text/refusals.ts'), 'findRefusal' | 'fillRefusal'>
let words: Words | undefined

/** Without them, as when the service cannot be reached, a refusal is shown as the service says it. */
export async function loadRefusals(): Promise<void> {
  if (words) return
  try {
    const [loaded] = await Promise.all([import('../../../core/text/refusals.ts'), loadLaterTexts()])
    words = loaded
  } catch {
    // Tried again with the next refusal.
  }
}

/** Undefined for a message without words of its own. */
export function refusalText(message: string): string | undefined {
  const refusal = words?.findRefusal(message)
  const text: unknown = refusal && i18n.getResource(i18n.language, 'translation', `refusal.${refusal.key}`)
  return typeof text === 'string' ? words!.fillRefusal(text, refusal!.values) : undefined
}
