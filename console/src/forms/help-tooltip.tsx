import { Tooltip } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { FormField } from './definition.ts'

interface HelpTooltipProps {
  field: FormField
  /** Otherwise the field shows its help itself. */
  active: boolean
  children: ReactNode
}

/** Shows the help of a field while the pointer or the focus is on it. Screen readers have it as its description. */
export function HelpTooltip({ field, active, children }: HelpTooltipProps) {
  // The list or calendar that a press opens stands where the tooltip would.
  const [isPressed, setPressed] = useState(false)
  if (!active || field.description === '') return children
  const isWide = field.displayType === 'textarea' || field.multiline > 1
  return (
    <Tooltip
      label={field.description}
      disabled={isPressed}
      multiline
      w={280}
      position="bottom-start"
      openDelay={600}
      events={{ hover: true, focus: false, touch: true }}
    >
      <div
        style={isWide ? { gridColumn: '1 / -1' } : undefined}
        onPointerDown={() => setPressed(true)}
        onKeyDown={() => setPressed(true)}
        onPointerLeave={() => setPressed(false)}
      >
        {children}
      </div>
    </Tooltip>
  )
}
