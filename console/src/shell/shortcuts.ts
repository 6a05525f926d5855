import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** The keys that open a screen after `g`. */
const goTo: Record<string, string> = {
  h: '/',
  d: '/debtors',
  c: '/cases',
  l: '/clients',
  j: '/jobs',
  u: '/users',
  a: '/audit',
  s: '/system',
  p: '/profile',
}
export const sequenceMs = 1200

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** `/`, Ctrl-K and Cmd-K open the palette; `g` and a letter open a screen; `?` shows the keys. */
export function useShortcuts({
  openPalette,
  openKeys,
}: {
  openPalette: () => void
  openKeys: () => void
}): void {
  const navigate = useNavigate()
  const open = useRef(openPalette)
  open.current = openPalette
  const keys = useRef(openKeys)
  keys.current = openKeys
  useEffect(() => {
    let gAt = 0
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        // In a dialog, Escape would also close the dialog.
        if (!document.querySelector('[role=dialog]')) open.current()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role=dialog]')) return
      if (event.key === '/') {
        event.preventDefault()
        open.current()
      } else if (event.key === '?') keys.current()
      else if (event.key === 'g') gAt = event.timeStamp
      else if (event.timeStamp - gAt < sequenceMs && goTo[event.key]) {
        gAt = 0
        void navigate({ to: goTo[event.key]! as '/' })
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate])
}
