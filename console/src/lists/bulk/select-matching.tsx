import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../format/format.ts'
import type { Matching } from './matching.ts'

interface SelectMatchingProps {
  /** The rows of this page, which are all selected. */
  count: number
  total: number
  matching: Matching | undefined
  onChoose: () => void
  onClear: () => void
}

/** Offers all matching rows once those of the page are selected. */
export function SelectMatching({ count, total, matching, onChoose, onClear }: SelectMatchingProps) {
  const { t } = useTranslation()
  return (
    <Group gap="sm" px="sm" py={6} className="select-matching" role="status">
      <Text size="sm">
        {matching
          ? t('bulk.allSelected', { count: formatNumber(matching.total) })
          : t('bulk.allOfPage', { count: formatNumber(count) })}
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={matching ? onClear : onChoose}>
        {matching ? t('bulk.clear') : t('bulk.selectAll', { count: formatNumber(total) })}
      </Button>
    </Group>
  )
}
