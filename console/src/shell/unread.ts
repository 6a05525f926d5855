/** The number of the user's unread notifications, asked for while somebody works in the page. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient, reading, refresh } from '../api/queries.ts'

const everyMs = 30_000
/** Each request extends the session: a page that is left alone must not keep its user signed in. */
const idleAfterMs = 300_000

export function useUnread(): number {
  const { data } = useQuery({ ...reading('countNotifications'), staleTime: everyMs })
  useEffect(watchWhileUsed, [])
  return data?.body.unread ?? 0
}

function watchWhileUsed(): () => void {
  let [usedAt, askedAt] = [Date.now(), Date.now()]
  const ask = () => {
    if (document.visibilityState !== 'visible') return
    if (Date.now() - usedAt > idleAfterMs || Date.now() - askedAt < everyMs) return
    askedAt = Date.now()
    void refreshUnread()
  }
  const used = () => {
    usedAt = Date.now()
    ask()
  }
  const timer = setInterval(ask, everyMs)
  const inputs = ['pointerdown', 'keydown'] as const
  for (const input of inputs) window.addEventListener(input, used, { passive: true })
  return () => {
    clearInterval(timer)
    for (const input of inputs) window.removeEventListener(input, used)
  }
}

const countUnread = () =>
  queryClient.getQueryData<{ body: { unread: number } }>(reading('countNotifications').queryKey)?.body.unread

/** Reads the list again only when the number differs. */
async function refreshUnread(): Promise<void> {
  const before = countUnread()
  await refresh('countNotifications')
  if (countUnread() !== before) await refresh('listNotifications')
}
