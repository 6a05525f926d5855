import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkItem } from '../../../../contract/work/work.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { reading } from '../../api/queries.ts'
import { pageSizes } from '../../lists/list-search.ts'
import { useUser } from '../../session/session.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { Icon } from '../../widgets/icons.tsx'
import { TakeNext } from './my-work.tsx'
import { ownDueWork } from './work-search.ts'

/** Leads from a case to the next of the user's due work. Without any, a handler of the case can take the next. */
export function NextCase({ caseGuid }: { caseGuid: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { next, isLast } = useNextCase(caseGuid)
  const to = `/cases/${next?.caseGuid}` as '/'
  useKey(caseKeys.nextCase, () => void navigate({ to }), next !== undefined)
  if (isLast) return <TakeNext isMain={false} />
  if (!next) return null
  return (
    <Button
      component={Link}
      to={to}
      variant="default"
      className="next-case"
      rightSection={<Icon name="right" size={16} />}
      title={[next.caseNumber, next.debtorName, next.task].filter(Boolean).join(' · ')}
    >
      {t('work.nextCase')}
    </Button>
  )
}

/** The case that follows in the list of the user's work, as it was when this case was opened. After the last, the first. */
function useNextCase(caseGuid: string): { next: WorkItem | undefined; isLast: boolean } {
  const { uniqueId } = useUser()
  const today = useBusinessDate()
  const [order, setOrder] = useState<readonly string[]>()
  // The same question as the list's, which has asked it already.
  const { data } = useQuery({
    ...reading('listWork', { $filter: ownDueWork(today ?? '', uniqueId), $skip: 0, $top: pageSizes[0] }),
    enabled: today !== undefined,
  })
  const handling = useQuery(reading('getCaseWork', { caseGuid })).data?.body
  const items = data?.body.value
  if (!items) return { next: undefined, isLast: false }
  if (!order) setOrder(items.map((item) => item.caseGuid))
  const others = items.filter((item) => item.caseGuid !== caseGuid)
  const place = (guid: string) => (order ?? []).indexOf(guid)
  const next = others.find((item) => place(item.caseGuid) > place(caseGuid)) ?? others[0]
  return { next, isLast: next === undefined && handling?.ownerGuid === uniqueId }
}
