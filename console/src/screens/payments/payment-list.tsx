import { Badge, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AllPaymentsItem } from '../../../../contract/payments/all-payments.ts'
import { formatMoney } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { Page } from '../../widgets/page.tsx'

/** Payments on cases of all debtors. */
export default function PaymentList() {
  const { t } = useTranslation()
  const mayWrite = useMay('payment.write')
  return (
    <Page title={t('navigation.payments')} about={t('payments.about')}>
      <DataList<AllPaymentsItem>
        operation="listAllPayments"
        sums={['amount']}
        name="payments"
        row={AllPaymentsItem}
        getKey={({ movementGuid }) => movementGuid}
        columns={['valueDate', 'caseNumber', 'mainDebtorName', 'clientName', 'amount', 'payerReference']}
        link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
        quick="mainDebtorName"
        sort="valueDate desc"
        cells={{
          amount: ({ amount, currencyCode, reversed }) => (
            <Group gap={6} component="span" wrap="nowrap" justify="flex-end">
              {reversed && (
                <Badge size="xs" color="red" variant="light">
                  {t('field.reversed')}
                </Badge>
              )}
              {formatMoney(amount, currencyCode)}
            </Group>
          ),
        }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('payments.valid'), filter: 'reversed eq false' },
          { label: t('field.reversed'), filter: 'reversed eq true' },
          { label: t('dashboard.toThirdParty'), filter: 'toThirdParty eq true' },
        ]}
        empty={t('payments.none')}
        emptyAction={mayWrite && <FirstButton to="/payments/new" />}
      />
    </Page>
  )
}
