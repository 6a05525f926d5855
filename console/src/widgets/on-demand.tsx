import { Suspense, useState, type ReactNode } from 'react'

interface OnDemandProps {
  load: () => Promise<unknown>
  /** The button until its menu has been loaded. */
  button: (events: { onClick: () => void; onPointerEnter: () => void; onFocus: () => void }) => ReactNode
  /** The same button with its menu, which is open at first. */
  children: ReactNode
}

/** A button whose menu is loaded by a press; or before, when the pointer or the focus reaches it. */
export function OnDemand({ load, button, children }: OnDemandProps) {
  const [pressed, setPressed] = useState(false)
  const prepare = () => void load().catch(() => {})
  const closed = button({ onClick: () => setPressed(true), onPointerEnter: prepare, onFocus: prepare })
  return pressed ? <Suspense fallback={closed}>{children}</Suspense> : closed
}
