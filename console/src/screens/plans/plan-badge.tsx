import { Badge } from '@mantine/core'
import { translateLabel, useLabels } from '../../texts/labels.ts'

const colours: Record<number, string> = { 0: 'gray', 1: 'teal', 2: 'yellow' }

interface PlanBadgeProps {
  active: number
  endReason?: string | null | undefined
}

/** The state of a plan; for an ended one the reason. */
export function PlanBadge({ active, endReason }: PlanBadgeProps) {
  useLabels()
  return (
    <Badge
      variant="light"
      tt="none"
      fw={500}
      color={endReason === 'BREACHED' ? 'red' : (colours[active] ?? 'gray')}
    >
      {active === 0 && endReason
        ? translateLabel(`plan.state.${endReason}`, endReason)
        : translateLabel(`lookup.paymentplanactive.${active}`, String(active))}
    </Badge>
  )
}
