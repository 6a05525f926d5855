/** A list of cases, as the worklist and the list of all cases show it. */
import { Badge, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AllCasesItem } from '../../../../contract/all-cases.ts'
import { formatDateTime } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import type { QuickChoice } from '../../lists/quick-choices.tsx'
import { StatusBadge } from './status-badge.tsx'

interface CaseRowsProps {
  name: string
  columns: readonly string[]
  sort: string
  quickFilters: readonly QuickChoice[]
  always?: string
}

export function CaseRows(props: CaseRowsProps) {
  const { t } = useTranslation()
  return (
    <DataList<AllCasesItem>
      operation="listAllCases"
      row={AllCasesItem}
      keyOf={({ caseGuid }) => caseGuid}
      link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
      quick="mainDebtorName"
      cells={{
        status: (row) => <StatusBadge {...row} />,
        limitationDate: ({ limitationDate, closureCode }) => (
          <Group gap={6} component="span" wrap="nowrap">
            {formatDateTime(limitationDate)}
            {closureCode === null && isNear(limitationDate) && (
              <Badge size="xs" color="red" variant="light">
                {t('case.soon')}
              </Badge>
            )}
          </Group>
        ),
      }}
      empty={t('case.none')}
      {...props}
    />
  )
}

const halfYear = 183 * 86_400_000
const isNear = (date: string | null) => date !== null && Date.parse(date) - Date.now() < halfYear
