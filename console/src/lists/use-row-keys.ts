import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import { isPlainKey, sequenceMs } from '../shell/keys/typing.ts'

/** What a row is reached by: its link, or else its first button, or else its checkbox. */
const handles = ['td a', 'td button', 'td input']
const findHandle = (row: HTMLElement | undefined) =>
  handles.map((handle) => row?.querySelector<HTMLElement>(handle)).find(Boolean)

/** Begins to edit the cell with the focus, or the first that can be edited. */
function editCell(row: HTMLElement): boolean {
  const focused = document.activeElement?.closest<HTMLElement>('[data-edits]')
  const cell = focused ?? row.querySelector<HTMLElement>('[data-edits]')
  cell?.click()
  return cell !== null
}

/**
 * Keys of a list: `j` and `k` move the focus to the next and previous row, `x` selects the row, `X` all rows of the page,
 * and the space bar shows more of it. F2 edits its first cell that can be
 * edited. Enter opens the row, or presses its first button.
 */
export function useRowKeys(frame: RefObject<HTMLElement | null>, onPeek: (row: number) => void): void {
  const act = useEffectEvent((key: string): boolean => {
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>('tbody tr[data-row]') ?? [])]
    const row = rows.findIndex((one) => one.contains(document.activeElement))
    if (key === 'j' || key === 'k') {
      const step = key === 'j' ? 1 : -1
      let next = row < 0 ? 0 : row + step
      // A row of which there is nothing to do is passed over.
      while (rows[next] && !findHandle(rows[next])) next += step
      findHandle(rows[next])?.focus()
      return true
    }
    if (key === 'X') {
      frame.current?.querySelector<HTMLElement>('thead input[type=checkbox]')?.click()
      return true
    }
    if (row < 0) return false
    if (key === 'F2') return editCell(rows[row]!)
    if (key === 'x') {
      rows[row]!.querySelector<HTMLElement>('td.select input')?.click()
      return true
    }
    // Of a button and a checkbox, the space bar is the press.
    if (document.activeElement?.tagName !== 'A') return false
    onPeek(row)
    return true
  })
  useLayoutEffect(() => {
    let gAt = -sequenceMs
    const onKey = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return
      if (document.querySelector('[role=dialog]')) return
      // `g j` opens a screen.
      if (event.key === 'g') gAt = event.timeStamp
      else if (event.timeStamp - gAt < sequenceMs) return
      else if (['j', 'k', 'x', 'X', ' ', 'F2'].includes(event.key) && act(event.key)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
