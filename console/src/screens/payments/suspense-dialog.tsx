import { Input, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Suspense } from '../../../../contract/treasury/suspense.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatMoney } from '../../format/format.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { useKeptInput } from '../../forms/use-kept-input.ts'
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
  const { suspenseGuid, amount, currencyCode } = money
  const kept = useKeptInput<{ way: Way; text: string }>(`suspense/${step}/${suspenseGuid}`, {
    way: 'paymentReferenceNumber',
    text: '',
  })
  const { way, text } = kept.values
  const isAllocation = step === 'allocate'
  const settle = async () => {
    kept.drop()
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
      <DraftOffer draft={kept.draft} />
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
            onChange={(next) => kept.change({ way: next as Way, text: '' })}
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
          onChange={(guid) => kept.change({ text: guid ?? '' })}
        />
      ) : (
        <TextInput
          label={t(isAllocation ? 'field.paymentReferenceNumber' : 'field.note')}
          value={text}
          required
          maxLength={isAllocation ? 30 : 200}
          data-autofocus={!isAllocation || undefined}
          onChange={(event) => kept.change({ text: event.currentTarget.value })}
        />
      )}
    </WorkDialog>
  )
}
