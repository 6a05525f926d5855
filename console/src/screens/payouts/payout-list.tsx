import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PayoutBatch } from '../../../../contract/treasury/payouts.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { Page } from '../../widgets/page.tsx'

/** Payouts to clients. */
export default function PayoutList() {
  const { t } = useTranslation()
  const mayPay = useMay('payment.admin')
  return (
    <Page
      title={t('navigation.payouts')}
      about={t('payout.about')}
      actions={
        mayPay && (
          <Button
            data-main-action
            component={Link}
            to="/payouts/new"
            leftSection={<Icon name="plus" size={16} />}
          >
            {t('payout.new')}
          </Button>
        )
      }
    >
      <DataList<PayoutBatch>
        operation="listPayouts"
        sums={['amount']}
        name="payouts"
        row={PayoutBatch}
        getKey={({ payoutBatchGuid }) => payoutBatchGuid}
        link={{ member: 'number', to: ({ payoutBatchGuid }) => `/payouts/${payoutBatchGuid}` }}
        columns={['number', 'businessDate', 'executionDate', 'payouts', 'amount', 'account']}
        empty={t('payout.none')}
        emptyAction={mayPay && <FirstButton to="/payouts/new" />}
      />
    </Page>
  )
}
