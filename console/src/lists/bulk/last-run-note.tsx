import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { BulkOutcome, BulkProgress } from './bulk-outcome.tsx'
import { lastRun, type LastRun } from './last-run.ts'
import { useBulkAction } from './use-bulk-action.ts'

const reload = () => void refresh('listAllCases', 'listWork', 'listClients')

/** The bulk action that was begun last, above the list, until it is hidden. */
export default function LastRunNote({ bulkActionGuid, title }: LastRun) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const { run, error } = useBulkAction(bulkActionGuid, reload)
  if (error) return null
  return (
    <Group gap="md" px="sm" py={6} role="group" aria-label={t('bulk.last')} className="select-matching">
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {run && <BulkProgress run={run} />}
      <Button size="compact-sm" variant="default" onClick={() => setShown(true)}>
        {t('bulk.show')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => lastRun.set(undefined)}>
        {t('bulk.hide')}
      </Button>
      {shown && (
        <BulkOutcome
          title={title}
          bulkActionGuid={bulkActionGuid}
          onChanged={reload}
          onClose={() => setShown(false)}
        />
      )}
    </Group>
  )
}
