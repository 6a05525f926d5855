/** A list of cases, for the worklist and the list of all cases. */
import { Badge, Group } from '@mantine/core'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AllCasesItem } from '../../../../contract/cases/all-cases.ts'
import { amounts } from '../../../../contract/cases/cases.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { formatDateTime } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import type { MemberName } from '../../lists/list-row.tsx'
import type { QuickChoice } from '../../lists/quick-choices.tsx'
import { useMay } from '../../session/session.ts'
import { StatusBadge } from './status-badge.tsx'

const CaseBulk = lazy(() => import('./bulk/case-bulk.tsx'))

interface CaseRowsProps {
  name: string
  columns: readonly MemberName<AllCasesItem>[]
  sort: string
  quickFilters: readonly QuickChoice[]
  always?: string
  /** What the user can do when there is no case. */
  emptyAction?: ReactNode
}

export function CaseRows(props: CaseRowsProps) {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write')
  const today = useBusinessDate()
  return (
    <DataList<AllCasesItem>
      operation="listAllCases"
      sums={amounts}
      row={AllCasesItem}
      getKey={({ caseGuid }) => caseGuid}
      link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
      quick="mainDebtorName"
      cells={{
        status: (row) => <StatusBadge {...row} />,
        limitationDate: ({ limitationDate, closureCode }) => (
          <Group gap={6} component="span" wrap="nowrap">
            {formatDateTime(limitationDate)}
            {closureCode === null && isNear(limitationDate, today) && (
              <Badge size="xs" color="red" variant="light">
                {t('case.soon')}
              </Badge>
            )}
          </Group>
        ),
      }}
      bulkMatching
      {...(mayWrite && {
        bulk: (rows, clear, matching) => (
          <Suspense fallback={null}>
            <CaseBulk rows={rows} matching={matching} onClear={clear} />
          </Suspense>
        ),
      })}
      empty={t('case.none')}
      {...props}
    />
  )
}

const halfYear = 183 * 86_400_000
/** Compares with the business date, which may differ from the browser's date. */
const isNear = (date: string | null, today: string | undefined) =>
  date !== null && today !== undefined && Date.parse(date) - Date.parse(today) < halfYear
