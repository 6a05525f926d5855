import { useEffect, useEffectEvent, type RefObject } from 'react'

const sequenceMs = 1200

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/**
 * Keys of a list: `j` and `k` move the focus to the link of the next and previous row, `x` selects the row, and the
 * space bar shows more of it. Enter opens it, as for every link.
 */
export function useRowKeys(frame: RefObject<HTMLElement | null>, onPeek: (row: number) => void): void {
  const act = useEffectEvent((key: string): boolean => {
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>('tbody tr[data-row]') ?? [])]
    const row = rows.findIndex((one) => one.contains(document.activeElement))
    if (key === 'j' || key === 'k') {
      const next = row < 0 ? 0 : row + (key === 'j' ? 1 : -1)
      rows[next]?.querySelector<HTMLElement>('td a')?.focus()
      return true
    }
    // Of a button, the space bar is the press.
    if (row < 0 || document.activeElement?.tagName !== 'A') return false
    if (key === 'x') rows[row]!.querySelector<HTMLElement>('input[type=checkbox]')?.click()
    else onPeek(row)
    return true
  })
  useEffect(() => {
    let gAt = -sequenceMs
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role=dialog]')) return
      // `g j` opens a screen.
      if (event.key === 'g') gAt = event.timeStamp
      else if (event.timeStamp - gAt < sequenceMs) return
      else if (['j', 'k', 'x', ' '].includes(event.key) && act(event.key)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
