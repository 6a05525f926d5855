import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  text: string
  /** What the user can do about it, such as a button that adds the first record. */
  action?: ReactNode
}

/** Says that there is nothing to show, in place of the rows of a list. */
export function EmptyState({ text, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="lg">
      <Text size="sm" c="dimmed" ta="center">
        {text}
      </Text>
      {action}
    </Stack>
  )
}
