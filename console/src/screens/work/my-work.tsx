/** A handler's home: what is due, to take, to assign and to do. */
import { Badge, Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WorkItem } from '../../../../contract/work/work.ts'
import { api } from '../../api/client.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { formatDateTime } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useUser } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { useWork } from '../../widgets/use-work.ts'
import { refreshWork } from './work-changes.ts'

const WorkBulk = lazy(() => import('./work-bulk.tsx'))

const whose = ['mine', 'free', 'all', 'coming'] as const
type Whose = (typeof whose)[number]

const columns = ['dueDate', 'reason', 'caseNumber', 'debtorName', 'task', 'remainingSum']
const moreColumns: Record<Whose, readonly string[]> = {
  mine: [],
  free: ['ownerName', 'teamName'],
  all: ['ownerName', 'teamName'],
  coming: ['nextActionDate'],
}

export function MyWork() {
  const { t } = useTranslation()
  const user = useUser()
  const today = useBusinessDate() ?? new Date().toISOString()
  const [shown, setShown] = useState<Whose>('mine')
  const due = `dueDate le ${today.slice(0, 10)}T00:00:00Z`
  const mine = `ownerGuid eq '${user.uniqueId}'`
  const conditions: Record<Whose, string> = {
    mine: `${due} and ${mine}`,
    free: `${due} and ownerGuid eq null`,
    all: due,
    coming: `not (${due}) and ${mine}`,
  }
  return (
    <>
      <Group gap={6} role="group" aria-label={t('work.whose')}>
        {whose.map((one) => (
          <Button
            key={one}
            size="compact-md"
            radius="xl"
            variant={one === shown ? 'light' : 'default'}
            aria-pressed={one === shown}
            onClick={() => setShown(one)}
          >
            {t(`work.${one}`)}
          </Button>
        ))}
      </Group>
      <DataList<WorkItem>
        key={shown}
        operation="listWork"
        name="work"
        row={WorkItem}
        columns={[...columns, ...moreColumns[shown]]}
        keyOf={({ itemId }) => itemId}
        link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
        quick="debtorName"
        always={conditions[shown]}
        cells={{ dueDate: (item) => <DueDate item={item} />, reason: ({ reason }) => reasonLabel(reason) }}
        bulkMatching
        bulk={(rows, clear, matching) => (
          <Suspense fallback={null}>
            <WorkBulk rows={rows} matching={matching} onClear={clear} />
          </Suspense>
        )}
        empty={t(`work.none.${shown}`)}
      />
    </>
  )
}

export const reasonLabel = (reason: string): string => translateLabel(`lookup.workreason.${reason}`, reason)

export function DueDate({ item: { dueDate, daysLate } }: { item: WorkItem }) {
  const { t } = useTranslation()
  return (
    <Group gap={6} component="span" wrap="nowrap">
      {formatDateTime(dueDate)}
      {daysLate > 0 && (
        <Badge size="xs" color="red" variant="light">
          {t('work.late', { count: daysLate })}
        </Badge>
      )}
    </Group>
  )
}

/** Makes the user the handler of the most urgent free case, and opens it. */
export function TakeNext() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const work = useWork()
  const take = async () => {
    const { item } = await api.takeNextWork().catch((error: unknown) => {
      noticeProblem(error)
      throw error
    })
    await refreshWork()
    if (item === null) noticeDone(t('work.nothingFree'))
    else await navigate({ to: `/cases/${item.caseGuid}` as '/' })
  }
  return (
    <Button
      data-main-action
      leftSection={<Icon name="right" size={16} />}
      loading={work.busy}
      onClick={() => void work.run(take)}
    >
      {t('work.takeNext')}
    </Button>
  )
}
