import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reading } from '../../../api/queries.ts'
import { formatDateTime } from '../../../format/format.ts'
import { ProblemAlert } from '../../../widgets/problem-alert.tsx'
import { AmountsPanel } from '../amounts-panel.tsx'
import { InvoicePanel } from '../invoice-panel.tsx'
import { StatementPanel } from '../statement/statement-panel.tsx'
import { PartyPanel } from '../party-panel.tsx'
import { StatusBadge } from '../status-badge.tsx'

interface CasePastProps {
  caseGuid: string
  day: string
  onLeave: () => void
}

/** A case as of a day, to read only, under a banner that says so. */
export function CasePast({ caseGuid, day, onLeave }: CasePastProps) {
  const { t } = useTranslation()
  const [known, setKnown] = useState<'then' | 'now'>('then')
  const days = { asOf: day, ...(known === 'then' && { knownAt: day }) }
  const { data, error } = useQuery(reading('getCaseByGuid', { caseGuid, ...days }))
  const record = data?.body
  return (
    <Stack gap="md">
      <Alert color="orange" role="status">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {t('past.banner', {
              day: formatDateTime(day),
              known: known === 'then' ? t('past.then') : t('past.now'),
            })}
          </Text>
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={t('past.show')}
              data={[
                { value: 'then', label: t('past.thenShort') },
                { value: 'now', label: t('past.nowShort') },
              ]}
              value={known}
              onChange={(value) => setKnown(value as 'then')}
            />
            <Button size="compact-sm" variant="default" onClick={onLeave}>
              {t('past.leave')}
            </Button>
          </Group>
        </Group>
      </Alert>
      <ProblemAlert error={error} />
      {record && (
        <>
          <Group>
            <StatusBadge {...record} />
          </Group>
          <AmountsPanel record={record} days={days} />
          <InvoicePanel record={record} isPast />
          <StatementPanel caseGuid={caseGuid} days={days} />
          <PartyPanel record={record} isPast />
        </>
      )}
    </Stack>
  )
}
