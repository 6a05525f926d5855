import { listTabbable } from './tabbable.ts'

/** The actions of the screen, and its panels. */
const selector = '#main :is(.page-actions, .panel)'

/** Moves the focus to the next part of the screen that Tab stops at, or to the former one. */
export function goToPart(step: 1 | -1): void {
  const parts = [...document.querySelectorAll(selector)].filter(
    (part) => !part.parentElement!.closest(selector) && listTabbable(part).length > 0,
  )
  const here = document.activeElement ?? document.body
  const current = parts.findIndex((part) => part.contains(here))
  const next = current < 0 ? findBeside(parts, here, step) : current + step
  const part = parts.at(next % parts.length)
  if (part) listTabbable(part)[0]!.focus()
}

/** From a place in no part: the first part after it, or the last one before it. */
function findBeside(parts: readonly Element[], here: Element, step: 1 | -1): number {
  const isAfter = (part: Element) =>
    (here.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return step === 1 ? Math.max(0, parts.findIndex(isAfter)) : parts.findLastIndex((part) => !isAfter(part))
}
