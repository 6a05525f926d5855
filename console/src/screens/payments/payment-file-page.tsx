import { useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PaymentFileEntry } from '../../../../contract/treasury/payment-files.ts'
import { reading } from '../../api/queries.ts'
import { DataList } from '../../lists/data-list.tsx'
import { Page } from '../../widgets/page.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

/** A bank file with its entries. */
export default function PaymentFilePage() {
  const { t } = useTranslation()
  const { paymentFileGuid } = useParams({ from: '/payment-files/$paymentFileGuid' })
  const { data, error } = useQuery(reading('getPaymentFile', { paymentFileGuid }))
  return (
    <Page title={data?.body.fileName ?? data?.body.messageId ?? t('paymentFile.file')}>
      <ProblemAlert error={error} />
      <DataList<PaymentFileEntry>
        operation="listPaymentFileEntries"
        sums={['amount']}
        name="payment-file-entries"
        row={PaymentFileEntry}
        input={{ paymentFileGuid }}
        getKey={({ entryGuid }) => entryGuid}
        columns={['number', 'valueDate', 'amount', 'currencyCode', 'payerName', 'outcome', 'reason']}
        cells={{ outcome: ({ outcome }) => <StateBadge lookup="entryoutcome" state={outcome} /> }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('lookup.entryoutcome.SUSPENSE'), filter: "outcome eq 'SUSPENSE'" },
          { label: t('lookup.entryoutcome.NOT_BOOKED'), filter: "outcome eq 'NOT_BOOKED'" },
        ]}
        empty={t('paymentFile.noEntries')}
      />
    </Page>
  )
}
