import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PayoutDue } from '../../../../contract/treasury/payouts.ts'
import { isDate } from '../../../../core/calendar/calendar.ts'
import { api } from '../../api/client.ts'
import { isProblem, reading, refresh } from '../../api/queries.ts'
import { ApprovalRequest } from '../../forms/approval-request.tsx'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { DayField } from '../../widgets/days/day-field.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { LeftOutClients, PaidClients } from './payout-tables.tsx'

/** The amounts owed to clients by currency, to be checked before a payout. */
export default function PayoutNew() {
  const { t } = useTranslation()
  const { data, error } = useQuery({ ...reading('getPayoutsDue'), staleTime: 0 })
  const [chosen, setChosen] = useState<string>()
  const all = data?.body.value ?? []
  const due =
    all.find(({ currencyCode }) => currencyCode === chosen) ?? all.find(({ amount }) => amount > 0) ?? all[0]
  return (
    <Page
      title={t('payout.new')}
      about={data ? t('payout.dueAbout', { date: formatDateTime(data.body.asOf) }) : ' '}
      actions={
        all.length > 1 && (
          <SegmentedControl
            aria-label={t('field.currencyCode')}
            data={all.map(({ currencyCode }) => currencyCode)}
            value={due?.currencyCode ?? ''}
            onChange={setChosen}
          />
        )
      }
    >
      <ProblemAlert error={error} />
      {!data && !error && (
        <Panel title={t('payout.lines')}>
          <LinesSkeleton lines={5} />
        </Panel>
      )}
      {data && !due && <Text c="dimmed">{t('payout.nothing')}</Text>}
      {data && due && (
        <>
          <PaidClients lines={due.lines} currency={due.currencyCode} amount={due.amount} />
          <LeftOutClients title={t('payout.leftOut')} leftOut={due.leftOut} currency={due.currencyCode} />
          <PayButton due={due} today={data.body.asOf.slice(0, 10)} />
        </>
      )}
    </Page>
  )
}

function PayButton({ due, today }: { due: PayoutDue; today: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayPay = useMay('payment.admin')
  const [executionDate, setExecutionDate] = useState(today)
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const { currencyCode, amount, lines } = due
  if (!mayPay || lines.length === 0) return null
  const body = { currencyCode, executionDate: executionDate || null }
  const pay = async () => {
    const made = await api.createPayout({ body }).catch((error: unknown) => {
      if (!isProblem(error, 'needs-approval')) throw error
      setRefused(error)
    })
    if (!made) return
    noticeDone(t('payout.done', { number: made.number }))
    void refresh('listPayouts', 'getPayoutsDue', 'getReport')
    void navigate({
      to: '/payouts/$payoutBatchGuid',
      params: { payoutBatchGuid: made.payoutBatchGuid },
      replace: true,
    })
  }
  const title = t('payout.pay', { amount: formatMoney(amount, currencyCode) })
  return (
    <Group align="flex-end">
      <DayField
        label={t('field.executionDate')}
        value={executionDate}
        min={today}
        onChange={setExecutionDate}
      />
      <Button
        data-main-action
        disabled={executionDate !== '' && !isDate(executionDate)}
        onClick={() => setAsked(true)}
      >
        {title}
      </Button>
      {asked && (
        <ConfirmDialog
          title={title}
          about={t('payout.payAbout', { count: lines.length })}
          confirm={title}
          onConfirm={pay}
          onClose={() => setAsked(false)}
        />
      )}
      <ProblemAlert error={refused} />
      <ApprovalRequest error={refused} input={body} onDone={() => void navigate({ to: '/approvals' })} />
    </Group>
  )
}
