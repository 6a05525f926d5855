import { Badge } from '@mantine/core'
import { translateLabel, useLabels } from '../texts/labels.ts'

/** What a state says, in the same colour everywhere: it waits, goes on, is done, stands still, or went wrong. */
const colours: Record<string, string> = {
  WAITING: 'gray',
  WRITTEN: 'gray',
  OPEN: 'yellow',
  RUNNING: 'fjord',
  INVITED: 'fjord',
  ACCEPTED: 'teal',
  WITHDRAWN: 'gray',
  COMPLETED: 'teal',
  DONE: 'teal',
  SENT: 'teal',
  DELIVERED: 'teal',
  ALLOCATED: 'teal',
  BOOKED: 'teal',
  IMPORTED: 'teal',
  REFUNDED: 'gray',
  REVERSED: 'gray',
  DIVIDED: 'gray',
  UNDONE: 'gray',
  CANCELLED: 'gray',
  STOPPED: 'yellow',
  HELD: 'yellow',
  PAUSED: 'yellow',
  FAILED: 'red',
  REFUSED: 'red',
  REJECTED: 'red',
  EXPIRED: 'red',
}

interface StateBadgeProps {
  /** The lookup that has the state's text. */
  lookup: string
  state: string
}

/** The state of a job, import, message, webhook or money in suspense. */
export function StateBadge({ lookup, state }: StateBadgeProps) {
  useLabels()
  return (
    <Badge
      variant="light"
      tt="none"
      fw={500}
      color={colours[state.toUpperCase()] ?? 'gray'}
      data-state={state}
    >
      {translateLabel(`lookup.${lookup}.${state}`, state)}
    </Badge>
  )
}
