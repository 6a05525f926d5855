import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../format/format.ts'
import type { ListSums } from './sums/use-sums.ts'
import { Pager } from './pager.tsx'
import type { useList } from './use-list.ts'

interface ListFootProps {
  page: { total: number } | undefined
  place: ReturnType<typeof useList>
  adding: ListSums
}

/** Below a list: how many rows match, the offer to add up their amounts, and the pages. */
export function ListFoot({ page, place, adding }: ListFootProps) {
  const { t } = useTranslation()
  const total = page ? t('list.total', { count: page.total, total: formatNumber(page.total) }) : ''
  return (
    <Group p="sm" justify="space-between" mih={56}>
      <Group gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {adding.sums === null ? `${total} · ${t('list.tooManyToAddUp')}` : total}
        </Text>
        {(adding.ask || adding.isBusy) && (
          <Button
            size="compact-sm"
            variant="subtle"
            className="no-print"
            loading={adding.isBusy}
            onClick={adding.ask}
          >
            {t('list.addUp')}
          </Button>
        )}
      </Group>
      {page && <Pager total={page.total} page={place.page} size={place.size} onChange={place.change} />}
    </Group>
  )
}
