import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Suspense } from '../../../../contract/treasury/suspense.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { Page } from '../../widgets/page.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { SuspenseDialog } from './suspense-dialog.tsx'
import { SuspenseDivide } from './suspense-divide.tsx'

/** Payments whose case is unknown. */
export default function SuspenseList() {
  const { t } = useTranslation()
  const mayWrite = useMay('payment.write')
  const [asked, setAsked] = useState<{ money: Suspense; step: 'allocate' | 'divide' | 'refund' } | null>(null)
  return (
    <Page title={t('navigation.suspense')} about={t('suspense.about')}>
      <DataList<Suspense>
        operation="listSuspense"
        sums={['amount']}
        name="suspense"
        row={Suspense}
        getKey={({ suspenseGuid }) => suspenseGuid}
        columns={['valueDate', 'amount', 'payerName', 'message', 'reason', 'status']}
        cells={{ status: ({ status }) => <StateBadge lookup="suspensestatus" state={status} /> }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('lookup.suspensestatus.OPEN'), filter: "status eq 'OPEN'" },
        ]}
        rowAction={(money) =>
          mayWrite &&
          money.status === 'OPEN' && (
            <Group gap="xs" wrap="nowrap">
              <Button size="compact-xs" onClick={() => setAsked({ money, step: 'allocate' })}>
                {t('suspense.allocate')}
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => setAsked({ money, step: 'divide' })}>
                {t('suspense.divide')}
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => setAsked({ money, step: 'refund' })}>
                {t('suspense.refund')}
              </Button>
            </Group>
          )
        }
        empty={t('suspense.none')}
        emptyAction={
          <Button size="xs" variant="default" renderRoot={(props) => <Link to="/payment-files" {...props} />}>
            {t('navigation.paymentFiles')}
          </Button>
        }
      />
      {asked?.step === 'divide' && <SuspenseDivide money={asked.money} onClose={() => setAsked(null)} />}
      {asked && asked.step !== 'divide' && (
        <SuspenseDialog money={asked.money} step={asked.step} onClose={() => setAsked(null)} />
      )}
    </Page>
  )
}
