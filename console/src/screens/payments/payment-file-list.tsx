import { Badge, Button, FileButton } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PaymentFile } from '../../../../contract/treasury/payment-files.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

const refreshMs = 4000

/** Bank files and the outcomes of their entries. The list reloads, because entries are booked in the background. */
export default function PaymentFileList() {
  const { t } = useTranslation()
  const mayWrite = useMay('payment.write')
  const work = useWork()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh('listPaymentFiles')
    }, refreshMs)
    return () => clearInterval(timer)
  }, [])
  const send = (file: File | null) =>
    file &&
    work.run(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      await api.uploadPaymentFile({ fileName: file.name.slice(0, 255), body: bytes })
      noticeDone(t('paymentFile.sent', { name: file.name }))
      await refresh('listPaymentFiles')
    })
  return (
    <Page
      title={t('navigation.paymentFiles')}
      about={t('paymentFile.about')}
      actions={
        mayWrite && (
          <FileButton
            onChange={(file) => void send(file)}
            inputProps={{ 'aria-label': t('paymentFile.file') }}
          >
            {(props) => (
              <Button {...props} loading={work.busy} leftSection={<Icon name="plus" size={16} />}>
                {t('paymentFile.send')}
              </Button>
            )}
          </FileButton>
        )
      }
    >
      <ProblemAlert error={work.error} />
      <DataList<PaymentFile>
        operation="listPaymentFiles"
        name="payment-files"
        row={PaymentFile}
        keyOf={({ paymentFileGuid }) => paymentFileGuid}
        link={{ member: 'receivedAt', to: ({ paymentFileGuid }) => `/payment-files/${paymentFileGuid}` }}
        columns={[
          'receivedAt',
          'fileName',
          'format',
          'entries',
          'booked',
          'suspended',
          'alreadyThere',
          'notBooked',
          'postedAt',
        ]}
        cells={{
          postedAt: ({ postedAt }) =>
            postedAt === null ? (
              <Badge variant="light" color="yellow" size="sm">
                {t('paymentFile.posting')}
              </Badge>
            ) : (
              formatDateTime(postedAt)
            ),
        }}
        empty={t('paymentFile.none')}
      />
    </Page>
  )
}
