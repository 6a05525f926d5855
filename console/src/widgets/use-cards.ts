import { useCallback, useEffect, useSyncExternalStore, type RefObject } from 'react'

/** As in phone.css. */
const telephone = 'screen and (max-width: 48em)'

/** True where the rows of tables are cards. */
export const useIsTelephone = (): boolean => useMedia(telephone)

/** True where there is room for one column, as in console.css. */
export const useIsNarrow = (): boolean => useMedia('screen and (max-width: 75em)')

function useMedia(query: string): boolean {
  const follow = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(follow, () => matchMedia(query).matches)
}

/**
 * On a telephone the rows of a table are cards (phone.css). Each cell gets the name of its column for it, and the table
 * keeps its roles for screen readers, some of which forget them when a table is laid out otherwise.
 */
export function useCards(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const narrow = matchMedia(telephone)
    const label = () => {
      if (narrow.matches) for (const table of frame.current!.querySelectorAll('table')) labelCells(table)
    }
    // Rows come and go, and texts change with the language, without the frame being drawn again.
    const observer = new MutationObserver(label)
    observer.observe(frame.current!, { childList: true, subtree: true, characterData: true })
    narrow.addEventListener('change', label)
    label()
    return () => {
      observer.disconnect()
      narrow.removeEventListener('change', label)
    }
  }, [frame])
}

/** The column's name where it is seen: not of check boxes and buttons. */
const headText = (head: HTMLTableCellElement) =>
  head.querySelector('.visually-hidden, input') ? '' : (head.textContent ?? '')

function labelCells(table: HTMLTableElement): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map(headText)
  setRole(table, 'table')
  for (const part of table.tBodies) setRole(part, 'rowgroup')
  if (table.tFoot) setRole(table.tFoot, 'rowgroup')
  for (const row of table.rows) {
    setRole(row, 'row')
    let column = 0
    for (const cell of row.cells) {
      setRole(cell, cell.tagName === 'TD' ? 'cell' : cell.scope === 'row' ? 'rowheader' : 'columnheader')
      cell.dataset['label'] = cell.colSpan === 1 ? (heads[column] ?? '') : ''
      column += cell.colSpan
    }
    const [first] = row.cells
    if (first?.querySelector('a')) first.dataset['title'] = 'true'
  }
}

const setRole = (element: HTMLElement, role: string): void => element.setAttribute('role', role)
