import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OverviewCase } from '../../../../contract/cases/cases.ts'
import { reading } from '../../api/queries.ts'
import { formatMoney } from '../../format/format.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { refreshCase } from '../cases/case-changes.ts'
import { PaymentDialog } from './payment-dialog.tsx'

/** Registers a payment on the debtor's open case; the user chooses where there are several. */
export function PayButton({ debtorGuid, debtorName }: { debtorGuid: string; debtorName: string | null }) {
  const { t } = useTranslation()
  const [paid, setPaid] = useState<OverviewCase>()
  const { data } = useQuery(reading('getCaseOverview', { debtorGuid }))
  const open = data?.body.cases.filter(({ status }) => status !== 'CLOSED') ?? []
  const [only] = open
  const place = useRef<HTMLButtonElement>(null)
  const press = () => {
    place.current?.focus()
    place.current?.click()
  }
  useKey(caseKeys.pay, press, only !== undefined)
  if (only === undefined && !paid) return null
  const button = (
    <Button
      ref={place}
      data-main-action
      leftSection={<Icon name="money" size={16} />}
      {...(open.length === 1 && { onClick: () => setPaid(only) })}
    >
      {t('case.payment')}
    </Button>
  )
  return (
    <>
      {open.length === 1 ? button : <CaseMenu cases={open} button={button} onChoose={setPaid} />}
      {paid && (
        <PaymentDialog
          paid={{ ...paid, debtorName }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refreshCase()
            setPaid(undefined)
          }}
          onClose={() => setPaid(undefined)}
        />
      )}
    </>
  )
}

interface CaseMenuProps {
  cases: readonly OverviewCase[]
  button: React.ReactNode
  onChoose: (one: OverviewCase) => void
}

function CaseMenu({ cases, button, onChoose }: CaseMenuProps) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('case.paymentChoose')}</Menu.Label>
        {cases.map((one) => (
          <Menu.Item key={one.caseGuid} onClick={() => onChoose(one)}>
            {[one.caseNumber, one.clientName, formatMoney(one.remainingSum, one.currencyCode)].join(' · ')}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
