import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { isPlainKey, sequenceMs } from './typing.ts'

/** The keys that open a screen after `g`. */
export const goTo: Record<string, string> = {
  h: '/',
  w: '/worklist',
  d: '/debtors',
  c: '/cases',
  o: '/objections',
  l: '/clients',
  m: '/payments',
  x: '/suspense',
  y: '/payouts',
  r: '/reports',
  i: '/import',
  t: '/strategies',
  j: '/jobs',
  u: '/users',
  a: '/audit',
  s: '/system',
  p: '/profile',
}

export const loadPageKeys = () => import('./page-keys.ts')

/**
 * `/`, Ctrl-K and Cmd-K open the palette; `g` and a letter open a screen; F6 goes to the next part of the screen;
 * Ctrl-Enter saves, or does what the screen is for; `?` shows the keys.
 */
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
  useLayoutEffect(() => {
    let gAt = -sequenceMs
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        // In a dialog, Escape would also close the dialog.
        if (!document.querySelector('[role=dialog]')) open.current()
        return
      }
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
        event.preventDefault()
        void loadPageKeys().then(({ runMainAction }) => runMainAction())
        return
      }
      if (document.querySelector('[role=dialog]')) return
      if (event.key === 'F6') {
        event.preventDefault()
        const step = event.shiftKey ? -1 : 1
        void loadPageKeys().then(({ goToPart }) => goToPart(step))
        return
      }
      if (!isPlainKey(event)) return
      if (event.key === '/') {
        event.preventDefault()
        open.current()
      } else if (event.key === '?') keys.current()
      else if (event.key === 'g') gAt = event.timeStamp
      else if (event.timeStamp - gAt < sequenceMs && goTo[event.key]) {
        gAt = -sequenceMs
        void navigate({ to: goTo[event.key]! as '/' })
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate])
}
