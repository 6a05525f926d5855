import { useTranslation } from 'react-i18next'
import { useBusinessDate } from '../../api/business-date.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'

/** What a payment on a case needs, and its allocation. */
const mainFields = [
  'amount',
  'valueDate',
  'allocatedPrincipal',
  'allocatedInterest',
  'allocatedFee',
  'credit',
  'remainingSum',
  'allocation',
]

export interface PaidCase {
  caseGuid: string
  caseNumber: string
  currencyCode: string
  debtorName: string | null
}

interface PaymentDialogProps {
  paid: PaidCase
  /** The amount that the user has given already. */
  amount?: number | undefined
  onDone: () => void
  onClose: () => void
}

/** Registers a payment on a case, of today unless the user says otherwise. */
export function PaymentDialog({ paid, amount, onDone, onClose }: PaymentDialogProps) {
  const { t } = useTranslation()
  const today = useBusinessDate()
  const { caseGuid, caseNumber, currencyCode, debtorName } = paid
  return (
    <FormDialog
      title={t('case.payment')}
      about={t('case.paymentAbout', { debtor: debtorName ?? '', number: caseNumber, currency: currencyCode })}
      entity="payment"
      type="register"
      place={{}}
      preset={{
        caseGuid,
        currencyCode,
        ...(amount !== undefined && { amount }),
        ...(today && { valueDate: today }),
      }}
      currency={currencyCode}
      main={mainFields}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
