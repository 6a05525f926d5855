import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'

/** Stands for no strategy of its own. */
const none = '-'

interface StrategySelectProps {
  /** The code; empty for none of its own, null until something is chosen. */
  strategy: string | null
  onChange: (strategy: string | null) => void
}

/** The strategies by name, and that of the party above. */
export function StrategySelect({ strategy, onChange }: StrategySelectProps) {
  const { t } = useTranslation()
  const { data } = useQuery(reading('listStrategies'))
  return (
    <Select
      label={t('bulk.strategy')}
      required
      searchable
      data={[
        { value: none, label: t('bulk.noStrategy') },
        ...(data?.body.value ?? []).map((one) => ({ value: one.code, label: one.name ?? one.code })),
      ]}
      value={strategy === '' ? none : strategy}
      data-autofocus
      onChange={(code) => onChange(code === none ? '' : code)}
    />
  )
}
