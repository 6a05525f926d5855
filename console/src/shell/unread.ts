/** The number of the user's unread notifications, kept fresh while somebody works in the page. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient, reading, refresh } from '../api/queries.ts'
import { followNotifications } from './live-notifications.ts'

/** So often the page asks by itself while nothing is heard from the service. */
const everyMs = 30_000
/** Each request extends the session: a page that is left alone must not keep its user signed in. */
const idleAfterMs = 300_000
/** The start screen is there first. */
const connectAfterMs = 2000

export function useUnread(): number {
  const { data } = useQuery({ ...reading('countNotifications'), staleTime: everyMs })
  useEffect(watchWhileUsed, [])
  return data?.body.unread ?? 0
}

function watchWhileUsed(): () => void {
  let [usedAt, askedAt] = [Date.now(), Date.now()]
  let isReady = false
  const isUsed = () => document.visibilityState === 'visible' && Date.now() - usedAt <= idleAfterMs
  const ask = () => {
    askedAt = Date.now()
    void refreshUnread()
  }
  const live = followNotifications(isUsed, ask)
  const check = () => {
    if (isReady) live.update()
    if (isUsed() && !live.isLive() && Date.now() - askedAt >= everyMs) ask()
  }
  const used = () => {
    usedAt = Date.now()
    check()
  }
  const timer = setInterval(check, everyMs)
  const start = setTimeout(() => {
    isReady = true
    check()
  }, connectAfterMs)
  const inputs = ['pointerdown', 'keydown'] as const
  for (const input of inputs) window.addEventListener(input, used, { passive: true })
  document.addEventListener('visibilitychange', check)
  return () => {
    clearInterval(timer)
    clearTimeout(start)
    live.end()
    for (const input of inputs) window.removeEventListener(input, used)
    document.removeEventListener('visibilitychange', check)
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
