import { Button, Group, Text } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { bulkKey, useKey } from '../../shell/keys/use-key.ts'
import { BulkExport } from './bulk-export.tsx'
import type { Amount } from '../sums/add-up.ts'

interface BulkBarProps {
  /** How many rows are selected. */
  count: number
  /** What they are together, a line per currency. */
  amounts?: readonly Amount[]
  onClear: () => void
  /** The actions, as buttons. */
  children: ReactNode
  /** The dialog of the chosen action. */
  dialog: ReactNode
}

/** Says how many rows are selected, and offers what can be done with them. */
export function BulkBar({ count, amounts = [], onClear, children, dialog }: BulkBarProps) {
  const { t } = useTranslation()
  const bar = useRef<HTMLDivElement>(null)
  useKey(bulkKey, () => bar.current?.querySelector('button')?.focus())
  return (
    <Group ref={bar} gap="xs" px="sm" pb="sm" role="group" aria-label={t('bulk.selected', { count })}>
      <Text size="sm" fw={600} role="status">
        {t('bulk.selected', { count: formatNumber(count) })}
        {amounts.length > 0 && `: ${writeAmounts(amounts)}`}
      </Text>
      {children}
      <BulkExport />
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t('bulk.clear')}
      </Button>
      {dialog}
    </Group>
  )
}

/** `34,500.00 SEK, 1,200.00 NOK` */
const writeAmounts = (sums: readonly Amount[]): string =>
  sums.map(({ currencyCode, amount }) => formatMoney(amount ?? 0, currencyCode)).join(', ')
