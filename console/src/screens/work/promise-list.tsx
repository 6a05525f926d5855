import { useTranslation } from 'react-i18next'
import { PromiseToPay } from '../../../../contract/work/promises.ts'
import { DataList } from '../../lists/data-list.tsx'
import { Page } from '../../widgets/page.tsx'

/** Promises to pay on all cases. */
export default function PromiseList() {
  const { t } = useTranslation()
  return (
    <Page title={t('promise.title')} about={t('promise.about')}>
      <DataList<PromiseToPay>
        operation="listPromises"
        sums={['promisedAmount']}
        name="promises"
        row={PromiseToPay}
        getKey={({ callGuid }) => callGuid}
        columns={['promisedDate', 'debtorName', 'caseNumber', 'promisedAmount', 'promiseStatus', 'createdBy']}
        link={{ member: 'debtorName', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
        quick="debtorName"
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('promise.open'), filter: "promiseStatus eq 'OPEN'" },
          { label: t('promise.broken'), filter: "promiseStatus eq 'BROKEN'" },
        ]}
        empty={t('promise.none')}
      />
    </Page>
  )
}
