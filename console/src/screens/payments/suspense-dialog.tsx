import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suspense } from '../../../../contract/payment-files.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'

interface SuspenseDialogProps {
  money: Suspense
  step: 'allocate' | 'refund'
  onClose: () => void
}

/** Where money in suspense goes: to what a payment reference names, or back to whoever sent it. */
export function SuspenseDialog({ money, step, onClose }: SuspenseDialogProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const { suspenseGuid, amount, currencyCode } = money
  const isAllocation = step === 'allocate'
  const store = async () => {
    if (isAllocation) await api.allocateSuspense({ suspenseGuid, body: { paymentReferenceNumber: text } })
    else await api.refundSuspense({ suspenseGuid, body: { note: text } })
    noticeDone(t(isAllocation ? 'suspense.allocated' : 'suspense.refunded'))
    await refresh('listSuspense', 'listCases', 'getCase')
  }
  return (
    <WorkDialog
      title={t(isAllocation ? 'suspense.allocate' : 'suspense.refund')}
      submit={t('action.save')}
      onSubmit={store}
      onClose={onClose}
    >
      <Text size="sm">
        {formatNumber(amount)} {currencyCode}
      </Text>
      <TextInput
        label={t(isAllocation ? 'field.paymentReferenceNumber' : 'field.note')}
        value={text}
        required
        maxLength={isAllocation ? 30 : 200}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </WorkDialog>
  )
}
