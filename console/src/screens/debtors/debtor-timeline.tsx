import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'
import { step, TimelineList } from './timeline-list.tsx'

/** What happened to a debtor and their cases, what was noted, and what was written to them; newest first. */
export function DebtorTimeline({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(step)
  const { data, error, isFetching } = useQuery({
    ...reading('listTimeline', { debtorGuid, $top: shown }),
    placeholderData: (former) => former,
  })
  const lines = data?.body.value.map((entry) => ({
    ...entry,
    key: entry.entryId,
    about: [entry.actor ?? t('timeline.system'), entry.caseNumber].filter(Boolean).join(' · '),
  }))
  return (
    <TimelineList
      lines={lines}
      total={data?.body.total}
      error={error}
      busy={isFetching}
      shown={shown}
      onShown={setShown}
    />
  )
}
