import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../format/format.ts'
import { Icon } from '../widgets/icons.tsx'
import { pageSizes, type ListSearch } from './list-search.ts'

interface PagerProps {
  total: number
  page: number
  size: number
  onChange: (search: ListSearch) => void
}

export function Pager({ total, page, size, onChange }: PagerProps) {
  const { t } = useTranslation()
  const last = Math.max(1, Math.ceil(total / size))
  const step = (to: number, name: 'left' | 'right', label: string) => (
    <ActionIcon
      variant="default"
      aria-label={label}
      disabled={to < 1 || to > last}
      onClick={() => onChange({ page: to })}
    >
      <Icon name={name} size={16} />
    </ActionIcon>
  )
  return (
    <Group gap="sm" component="nav" className="no-print" aria-label={t('list.pages')}>
      <NativeSelect
        size="xs"
        w={120}
        aria-label={t('list.pageSize')}
        data={pageSizes.map((value) => ({
          value: String(value),
          label: t('list.perPage', { count: value }),
        }))}
        value={String(size)}
        onChange={(event) => onChange({ size: Number(event.currentTarget.value) })}
      />
      {step(page - 1, 'left', t('list.previous'))}
      <Text size="sm">{t('list.pageOf', { page: formatNumber(page), last: formatNumber(last) })}</Text>
      {step(page + 1, 'right', t('list.next'))}
    </Group>
  )
}
