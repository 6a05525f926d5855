import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'

interface PageProps {
  title: string
  /** A line below the title. */
  about?: ReactNode
  actions?: ReactNode
  /** Beside the heading, such as the star of a favourite. */
  mark?: ReactNode
  children: ReactNode
}

/** A screen: a heading, which is also the title of the browser tab, actions, and the content. */
export function Page({ title, about, actions, mark, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Fordra`
  }, [title])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" wrap="wrap" gap="sm" mih={44}>
        <div>
          <Group gap="xs">
            <Title order={1}>{title}</Title>
            {mark}
          </Group>
          {about !== undefined && (
            // Reserves a line for text that is still loading.
            <Text size="sm" c="dimmed" component="div" mih="1.45em">
              {about}
            </Text>
          )}
        </div>
        {Boolean(actions) && (
          <Group gap="xs" className="page-actions no-print">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}

interface PanelProps {
  title: string
  actions?: ReactNode
  children: ReactNode
}

export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section className="panel" aria-label={title}>
      <Group justify="space-between" px="md" pt="sm" pb={4} mih={44} gap="xs">
        <Title order={2}>{title}</Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      <div style={{ padding: '0.25rem 1rem 1rem' }}>{children}</div>
    </section>
  )
}

/** Reserves the space of loading content, so that nothing jumps. */
export function LinesSkeleton({ lines = 5 }: { lines?: number }) {
  return (
    <Stack gap="sm" aria-hidden="true" data-skeleton>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={14} width={`${85 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}
