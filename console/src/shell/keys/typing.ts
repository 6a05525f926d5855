/** The time between `g` and the letter of a screen. */
export const sequenceMs = 1200

const pressed = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file']

/** Whether a letter would go into a field. Of a checkbox it would not. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    ['TEXTAREA', 'SELECT'].includes(target.tagName) ||
    (target instanceof HTMLInputElement && !pressed.includes(target.type)))

/** Whether a key is one of the console's own, for this element. */
export const isPlainKey = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && !isTyping(target)
