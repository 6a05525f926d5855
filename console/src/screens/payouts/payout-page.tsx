import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PayoutBatch } from '../../../../contract/treasury/payouts.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { readListFields } from '../../lists/list-fields.ts'
import { saveFile } from '../../lists/save-file.ts'
import { Facts } from '../../widgets/facts.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { LeftOutClients, PaidClients } from './payout-tables.tsx'

const fields = readListFields(PayoutBatch)
const names = ['businessDate', 'executionDate', 'account', 'amount', 'payouts']

/** A payout: the clients paid, and the bank file. */
export default function PayoutPage() {
  const { t } = useTranslation()
  const { payoutBatchGuid } = useParams({ from: '/payouts/$payoutBatchGuid' })
  const { data, error } = useQuery(reading('getPayout', { payoutBatchGuid }))
  const work = useWork()
  const payout = data?.body
  const save = async () => {
    const bytes = await api.getPayoutFile({ payoutBatchGuid })
    const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/xml' })
    saveFile(file, `pain.001-${payout!.number}.xml`)
  }
  const currency = payout?.currencyCode ?? ''
  return (
    <Page
      title={payout ? t('payout.title', { number: payout.number }) : t('navigation.payouts')}
      about={payout ? t('payout.booked', { date: formatDateTime(payout.businessDate) }) : ' '}
      actions={
        payout && (
          <Button
            data-main-action
            leftSection={<Icon name="download" size={16} />}
            loading={work.busy}
            onClick={() => void work.run(save)}
          >
            {t('payout.file')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error ?? work.error} />
      {!error && (
        <Panel title={t('payout.run')}>
          {payout ? <Facts fields={fields} names={names} record={payout} /> : <LinesSkeleton lines={5} />}
        </Panel>
      )}
      {payout && (
        <>
          <PaidClients lines={payout.lines} currency={currency} amount={payout.amount} />
          <LeftOutClients title={t('payout.leftOutNow')} leftOut={payout.leftOut} currency={currency} />
        </>
      )}
    </Page>
  )
}
