import { i18n } from './languages.ts'

/** The browser would say in its own language that a required field is empty. This says it in the reader's. */
export function startRequiredWords(): void {
  const told = new Set<HTMLInputElement | HTMLTextAreaElement>()
  document.addEventListener(
    'invalid',
    ({ target }) => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      if (!isField || !target.validity.valueMissing) return
      target.setCustomValidity(i18n.t('fault.required'))
      told.add(target)
    },
    true,
  )
  // Before the form is checked again, which also follows a press of Enter.
  document.addEventListener(
    'click',
    () => {
      for (const field of told) field.setCustomValidity('')
      told.clear()
    },
    true,
  )
}
