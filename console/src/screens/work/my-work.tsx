/** A handler's home: what is due, to take, to assign and to do. */
import { Badge, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { WorkItem } from '../../../../contract/work/work.ts'
import { api } from '../../api/client.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import type { MemberName } from '../../lists/list-row.tsx'
import { useUser } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { i18n } from '../../texts/languages.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { useWork } from '../../widgets/use-work.ts'
import { refreshWork } from './work-changes.ts'
import { dueWork, ownDueWork, whose, type Whose } from './work-search.ts'

const WorkBulk = lazy(() => import('./work-bulk.tsx'))

const columns = ['dueDate', 'reason', 'caseNumber', 'debtorName', 'task', 'remainingSum'] as const
const moreColumns: Record<Whose, readonly MemberName<WorkItem>[]> = {
  mine: [],
  free: ['ownerName', 'teamName'],
  all: ['ownerName', 'teamName'],
  coming: ['nextActionDate'],
}

export function MyWork() {
  const { t } = useTranslation()
  const user = useUser()
  const today = useBusinessDate() ?? new Date().toISOString()
  const { whose: shown = 'mine' } = useSearch({ from: '/' })
  const due = dueWork(today)
  const conditions: Record<Whose, string> = {
    mine: ownDueWork(today, user.uniqueId),
    free: `${due} and ownerGuid eq null`,
    all: due,
    coming: `not (${due}) and ownerGuid eq '${user.uniqueId}'`,
  }
  return (
    <>
      <WhoseChoice shown={shown} />
      <DataList<WorkItem>
        key={shown}
        operation="listWork"
        name="work"
        row={WorkItem}
        columns={[...columns, ...moreColumns[shown]]}
        getKey={({ itemId }) => itemId}
        link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
        quick="debtorName"
        always={conditions[shown]}
        cells={{
          dueDate: (item) => <DueDate item={item} />,
          reason: ({ reason }) => reasonLabel(reason),
          task: workTask,
        }}
        bulkMatching
        bulk={(rows, clear, matching) => (
          <Suspense fallback={null}>
            <WorkBulk rows={rows} matching={matching} onClear={clear} />
          </Suspense>
        )}
        empty={t(`work.none.${shown}`)}
        emptyAction={shown === 'mine' && <FreeWork />}
      />
    </>
  )
}

/** Chooses whose work is shown, and counts the due items. The choice is in the address, so Back from a case keeps it. */
function WhoseChoice({ shown }: { shown: Whose }) {
  const { t } = useTranslation()
  const navigate = useNavigate({ from: '/' })
  const due = useDueCounts()
  const choose = (one: Whose) =>
    void navigate({
      search: (former) => ({ ...former, page: undefined, whose: one === 'mine' ? undefined : one }),
      replace: true,
    })
  return (
    <Group gap={6} role="group" aria-label={t('work.whose')}>
      {whose.map((one) => (
        <Button
          key={one}
          size="compact-md"
          radius="xl"
          variant={one === shown ? 'light' : 'default'}
          aria-pressed={one === shown}
          rightSection={
            due?.[one] !== undefined && <span style={{ fontWeight: 400 }}>{formatNumber(due[one])}</span>
          }
          onClick={() => choose(one)}
        >
          {t(`work.${one}`)}
        </Button>
      ))}
    </Group>
  )
}

/** Leads to the work that nobody does, when the user's own is done. */
function FreeWork() {
  const { t } = useTranslation()
  const count = useDueCounts()?.free ?? 0
  if (count === 0) return null
  return (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => <Link to="/" search={{ whose: 'free' }} {...props} />}
    >
      {t('work.showFree', { count: formatNumber(count) })}
    </Button>
  )
}

/** Counts the due items of the user, of nobody and of all. Undefined until the queues are loaded. */
function useDueCounts(): Partial<Record<Whose, number>> | undefined {
  const { uniqueId } = useUser()
  const queues = useQuery(reading('getWorkQueues')).data?.body.queues
  if (!queues) return undefined
  const count = (guid: string | null) =>
    queues.reduce((sum, { ownerGuid, items }) => sum + (ownerGuid === guid ? items : 0), 0)
  return { mine: count(uniqueId), free: count(null), all: queues.reduce((sum, { items }) => sum + items, 0) }
}

export const reasonLabel = (reason: string): string => translateLabel(`lookup.workreason.${reason}`, reason)

/** What is to be done: of a promise, what was promised. */
export const workTask = ({ task, promisedAmount, currencyCode }: WorkItem): string | null =>
  promisedAmount === null
    ? task
    : i18n.t('work.promised', { amount: formatMoney(promisedAmount, currencyCode) })

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
export function TakeNext({ isMain = true }: { isMain?: boolean }) {
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
      {...(isMain ? { 'data-main-action': true } : { variant: 'default', className: 'next-case' })}
      leftSection={<Icon name="right" size={16} />}
      loading={work.busy}
      onClick={() => void work.run(take)}
    >
      {t('work.takeNext')}
    </Button>
  )
}
