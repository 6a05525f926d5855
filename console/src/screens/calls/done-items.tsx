/** The due work of a case that a call may be the end of. */
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkItem } from '../../../../contract/work/work.ts'
import { reading } from '../../api/queries.ts'
import { reasonLabel } from '../work/my-work.tsx'

interface CallEffect {
  /** The debtor was on the line. */
  isReached: boolean
  /** The case has a new next action, which replaces the former. */
  isFollowed: boolean
}

const followUps = ['FOLLOW_UP', 'NOTE_FOLLOW_UP']

/** Somebody who reached the debtor is done with follow-ups, unless the user says otherwise. All else the user chooses. */
export function useDoneItems(caseGuid: string, { isReached, isFollowed }: CallEffect) {
  const [given, setGiven] = useState<Record<string, boolean>>({})
  const { data } = useQuery(reading('getCaseWork', { caseGuid }))
  const due = (data?.body.items ?? []).filter(
    ({ daysLate, reason }) => daysLate >= 0 && !(isFollowed && reason === 'FOLLOW_UP'),
  )
  const isDone = ({ itemId, reason }: WorkItem) => given[itemId] ?? (isReached && followUps.includes(reason))
  return {
    due,
    isDone,
    chosen: due.filter(isDone),
    choose: (item: WorkItem, done: boolean) => setGiven((former) => ({ ...former, [item.itemId]: done })),
  }
}

export function DoneItems({ due, isDone, choose }: ReturnType<typeof useDoneItems>) {
  const { t } = useTranslation()
  return due.map((item) => (
    <Checkbox
      key={item.itemId}
      label={[t('work.doneThis', { reason: reasonLabel(item.reason) }), item.task]
        .filter(Boolean)
        .join(' · ')}
      checked={isDone(item)}
      onChange={(event) => choose(item, event.currentTarget.checked)}
    />
  ))
}
