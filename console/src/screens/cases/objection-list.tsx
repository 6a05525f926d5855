import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Objection } from '../../../../contract/cases/objections.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { Page } from '../../widgets/page.tsx'
import { ObjectionButtons, ObjectionDialog } from './objection-panel.tsx'

/** Objections, complaints and hardship of all cases. */
export default function ObjectionList() {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write')
  const [open, setOpen] = useState<{ type: 'answer' | 'decide'; guid: string }>()
  return (
    <Page title={t('navigation.objections')} about={t('objections.about')}>
      <DataList<Objection>
        operation="listObjections"
        sums={['amount', 'creditedAmount']}
        name="objections"
        row={Objection}
        getKey={({ objectionGuid }) => objectionGuid}
        link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
        columns={[
          'answerBy',
          'matter',
          'kind',
          'status',
          'amount',
          'caseNumber',
          'mainDebtorName',
          'clientName',
        ]}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('objections.waiting'), filter: "status eq 'OPEN' or status eq 'ANSWERED'" },
          { label: t('objections.overdue'), filter: 'isOverdue eq true' },
        ]}
        rowAction={({ objectionGuid, decidedDate, answeredDate }) =>
          mayWrite &&
          decidedDate === null && (
            <ObjectionButtons
              isAnswered={answeredDate !== null}
              onChoose={(type) => setOpen({ type, guid: objectionGuid })}
            />
          )
        }
        empty={t('objections.none')}
      />
      {open && <ObjectionDialog {...open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}
