import { useLayoutEffect, useRef } from 'react'
import { isPlainKey, sequenceMs } from './typing.ts'

/** The keys of a case, by what they do. The sheet behind `?` lists them. */
export const caseKeys = {
  pay: 'p',
  fee: 'f',
  writeOff: 'w',
  hold: 'h',
  close: 'e',
  call: 'c',
  letter: 'l',
  note: 'n',
  status: 's',
  objection: 'o',
  plan: 'i',
  assign: 'a',
  next: 't',
  nextCase: 'j',
  more: 'm',
} as const

/** Goes to the actions for the selected rows of a list. */
export const bulkKey = 'b'

const busy = '[role=dialog], [role=menu], [role=listbox]'

/**
 * Runs an action on a key, unless somebody types, a dialog is open, or the key follows `g`. The key works from the moment that the
 * action is shown: an effect after painting would miss a key that comes at once.
 */
export function useKey(key: string, run: () => void, active = true): void {
  const latest = useRef(run)
  latest.current = run
  useLayoutEffect(() => {
    if (!active) return undefined
    let gAt = -sequenceMs
    const onKey = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return
      if (event.key === 'g') gAt = event.timeStamp
      if (event.key !== key || event.timeStamp - gAt < sequenceMs) return
      if (document.querySelector(busy)) return
      // The key would be typed into the field that the dialog focuses.
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [key, active])
}
