import { useEffect, useRef } from 'react'

const fields = ':is(input:not([type=hidden]), textarea, select, button, a[href]):not(:disabled)'

/**
 * Gives a dialog's focus to the first field of an element that comes later than the dialog. Who is at work in the dialog
 * by then keeps the focus. Outside of dialogs it does nothing.
 */
export function useFirstFocus<Element extends HTMLElement>(active = true) {
  const ref = useRef<Element>(null)
  useEffect(() => {
    const dialog = ref.current?.closest('[role=dialog]')
    const field = ref.current?.querySelector<HTMLElement>(fields)
    if (!active || !dialog || !field) return
    // For the dialog itself, where it has not chosen yet.
    field.dataset['autofocus'] = ''
    const focused = document.activeElement
    const isAtWork =
      dialog.contains(focused) && !focused!.matches('dialog, [role=dialog], .mantine-Modal-close')
    if (!isAtWork) field.focus()
  }, [active])
  return ref
}
