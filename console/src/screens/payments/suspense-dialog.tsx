import { Input, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suspense } from '../../../../contract/treasury/suspense.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatMoney } from '../../format/format.ts'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { SuspenseProposals } from './suspense-proposals.tsx'

interface SuspenseDialogProps {
  money: Suspense
  step: 'allocate' | 'refund'
  onClose: () => void
}

/** What identifies the owner of the money: exactly one is sent. */
export const ways = {
  paymentReferenceNumber: { title: 'suspense.byReference' },
  caseGuid: { title: 'suspense.byCase', lookup: 'case' },
  debtorGuid: { title: 'suspense.byDebtor', lookup: 'debtor' },
} as const
export type Way = keyof typeof ways
export const allWays = Object.keys(ways) as Way[]

/** Allocates money in suspense to a payment reference, a case or a debtor, or refunds it. */
export function SuspenseDialog({ money, step, onClose }: SuspenseDialogProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [way, setWay] = useState<Way>('paymentReferenceNumber')
  const { suspenseGuid, amount, currencyCode } = money
  const isAllocation = step === 'allocate'
  const settle = async () => {
    noticeDone(t(isAllocation ? 'suspense.allocated' : 'suspense.refunded'))
    await refresh('listSuspense', 'listSuspenseProposals', 'listCases', 'getCase')
  }
  const store = async () => {
    if (isAllocation) await api.allocateSuspense({ suspenseGuid, body: { [way]: text } })
    else await api.refundSuspense({ suspenseGuid, body: { note: text } })
    await settle()
  }
  const chosen = ways[way]
  return (
    <WorkDialog
      title={t(isAllocation ? 'suspense.allocate' : 'suspense.refund')}
      submit={t('action.save')}
      onSubmit={store}
      onClose={onClose}
    >
      <Text size="sm">
        {[formatMoney(amount, currencyCode), money.payerName, money.message].filter(Boolean).join(' · ')}
      </Text>
      {isAllocation && (
        <SuspenseProposals
          money={money}
          onBooked={async () => {
            onClose()
            await settle()
          }}
        />
      )}
      {isAllocation && (
        <Input.Wrapper label={t('suspense.by')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('suspense.by')}
            data={allWays.map((value) => ({ value, label: t(ways[value].title) }))}
            value={way}
            onChange={(next) => {
              setWay(next as Way)
              setText('')
            }}
          />
        </Input.Wrapper>
      )}
      {isAllocation && 'lookup' in chosen ? (
        <LookupSelect
          key={way}
          code={chosen.lookup}
          label={t(chosen.title)}
          required
          value={text === '' ? null : text}
          onChange={(guid) => setText(guid ?? '')}
        />
      ) : (
        <TextInput
          label={t(isAllocation ? 'field.paymentReferenceNumber' : 'field.note')}
          value={text}
          required
          maxLength={isAllocation ? 30 : 200}
          data-autofocus={!isAllocation || undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </WorkDialog>
  )
}
