import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Suspense } from '../../../../contract/payment-files.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

interface SuspenseDialogProps {
  money: Suspense
  step: 'allocate' | 'refund'
  onClose: () => void
}

/** Where money in suspense goes: to what a payment reference names, or back to whoever sent it. */
export function SuspenseDialog({ money, step, onClose }: SuspenseDialogProps) {
  const { t } = useTranslation()
  const work = useWork()
  const [text, setText] = useState('')
  const { suspenseGuid, amount, currencyCode } = money
  const isAllocation = step === 'allocate'
  const store = async () => {
    if (isAllocation) await api.allocateSuspense({ suspenseGuid, body: { paymentReferenceNumber: text } })
    else await api.refundSuspense({ suspenseGuid, body: { note: text } })
    noticeDone(t(isAllocation ? 'suspense.allocated' : 'suspense.refunded'))
    await refresh('listSuspense', 'listCases', 'getCase')
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(isAllocation ? 'suspense.allocate' : 'suspense.refund')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form onSubmit={work.onSubmit(store)}>
        <Stack gap="md">
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
          <ProblemAlert error={work.error} />
          <Group>
            <Button type="submit" loading={work.busy}>
              {t('action.save')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
