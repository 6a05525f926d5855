const selector = 'a[href], button, input, select, textarea, summary, [tabindex]'

/** Whether Tab stops at it. */
const isTabbable = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })

/** What Tab stops at within an element, in its order. */
export const listTabbable = (within: Element): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(selector)].filter(isTabbable)

export const isFocusable = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })
