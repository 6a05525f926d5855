import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PaymentFile } from '../../../../contract/treasury/payment-files.ts'
import { refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { FileDrop } from '../../widgets/file-drop.tsx'
import { Page } from '../../widgets/page.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { BankFile } from './bank-file.tsx'
import { useKeptBankFile } from './kept-bank-file.ts'

const refreshMs = 4000

/** Bank files and the outcomes of their entries. The list reloads, because entries are booked in the background. */
export default function PaymentFileList() {
  const { t } = useTranslation()
  const mayWrite = useMay('payment.write')
  const [file, setFile] = useKeptBankFile('payment-files')
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh('listPaymentFiles')
    }, refreshMs)
    return () => clearInterval(timer)
  }, [])
  if (file)
    return (
      <Page title={t('navigation.paymentFiles')} about={t('paymentFile.about')}>
        <BankFile
          key={`${file.name} ${file.lastModified}`}
          file={file}
          onAnother={() => setFile(undefined)}
        />
      </Page>
    )
  return (
    <Page title={t('navigation.paymentFiles')} about={t('paymentFile.about')}>
      {mayWrite && (
        <FileDrop
          label={t('paymentFile.file')}
          about={t('import.drop')}
          accept=".xml,.txt,.bgmax,.ocr,.dat"
          busy={false}
          onFile={setFile}
        />
      )}
      <DataList<PaymentFile>
        operation="listPaymentFiles"
        name="payment-files"
        row={PaymentFile}
        getKey={({ paymentFileGuid }) => paymentFileGuid}
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
            postedAt === null ? <StateBadge lookup="workstatus" state="running" /> : formatDateTime(postedAt),
        }}
        empty={t('paymentFile.none')}
      />
    </Page>
  )
}
