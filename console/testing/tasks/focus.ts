/** Reads what has the focus on a page. */
import type { Page } from 'playwright-core'

/**
 * Runs in the page: whether something has the focus, in the dialog where one is open, and a person sees it. A field shows
 * its caret or its border, everything else an outline or a shadow; a hidden input has them on its label.
 */
export function isFocusShown(): boolean {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return false
  const dialog = [...document.querySelectorAll('[aria-modal=true]')].at(-1)
  if (dialog?.contains(focused) === false) return false
  const labels = focused instanceof HTMLInputElement ? [...(focused.labels ?? [])] : []
  return [focused, ...labels].some((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const isInView =
      bottom > Math.max(top, 0) && right > Math.max(left, 0) && top < innerHeight && left < innerWidth
    const style = getComputedStyle(element)
    const hasCaret = element.matches(':read-write')
    const border = style.getPropertyValue('--input-bd')
    const hasBorder = border !== '' && border === style.getPropertyValue('--input-bd-focus')
    const hasOutline = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
    return isInView && (hasCaret || hasBorder || hasOutline || style.boxShadow !== 'none')
  })
}

/** The name of what has the focus, as a screen reader says it: of a radio button with its kind. */
export const describeFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return 'the page'
    const labels =
      focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement ? focused.labels : null
    const name = focused.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? focused.textContent ?? ''
    return name.replace(/ \*$/, '').trim() + (focused.matches('[type=radio]') ? ', radio button' : '')
  })

/** The option that the arrow keys have reached in the list of the field that has the focus. */
export const readChoice = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    return (id ? document.getElementById(id)?.textContent : null) ?? ''
  })
