import { useEffect, useEffectEvent } from 'react'

/** Marks the input of the palette. */
export const paletteInput = 'data-palette-input'

/**
 * Keeps what is typed before the palette has the focus: it loads its code and fades in, and the user types on at once.
 */
export function useTypedAhead(opened: boolean, change: (edit: (text: string) => string) => void): void {
  const keep = useEffectEvent(change)
  useEffect(() => {
    if (!opened) return
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.isComposing) return
      if (document.activeElement?.hasAttribute(paletteInput)) return
      const isText = [...event.key].length === 1
      if (!isText && event.key !== 'Backspace') return
      event.preventDefault()
      event.stopPropagation()
      keep((text) => (isText ? text + event.key : [...text].slice(0, -1).join('')))
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [opened])
}
