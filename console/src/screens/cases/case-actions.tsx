import { ActionIcon, Button, Menu } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import type { FormValues } from '../../forms/definition.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { useMay } from '../../session/session.ts'
import type { TextKey } from '../../texts/languages.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon, type IconName } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { useIsTelephone } from '../../widgets/use-cards.ts'
import { useOpenPlan } from '../plans/use-open-plan.ts'
import { CallDialog } from '../calls/call-dialog.tsx'
import { PaymentDialog } from '../payments/payment-dialog.tsx'
import { refreshCase } from './case-changes.ts'
import { useFeeChoices } from './fee-choices.ts'
import { StatusDialog } from './status-dialog.tsx'

interface Action {
  key: TextKey
  entity: string
  type: string
  icon: IconName
  /** The fields that are shown at first. */
  main?: readonly string[]
  /** The value date is that of today, and shown. */
  isDated?: boolean
}

const fee: Action = {
  key: 'case.fee',
  entity: 'fee',
  type: 'add',
  icon: 'plus',
  main: ['feeType', 'amount', 'valueDate'],
  isDated: true,
}
const writeOff: Action = {
  key: 'case.writeOff',
  entity: 'writeoff',
  type: 'register',
  icon: 'trash',
  main: ['amount', 'component', 'valueDate'],
  isDated: true,
}
const moneyActions: readonly Action[] = [
  fee,
  { key: 'case.invoice', entity: 'invoice', type: 'create', icon: 'document' },
  writeOff,
  { key: 'case.creditUse', entity: 'credit', type: 'use', icon: 'money' },
  { key: 'case.creditRefund', entity: 'credit', type: 'refund', icon: 'money' },
]
const edit: Action = { key: 'case.edit', entity: 'case', type: 'edit', icon: 'edit' }
const terms: Action = { key: 'case.terms', entity: 'case', type: 'terms', icon: 'rate' }
const law: Action = { key: 'case.law', entity: 'case', type: 'law', icon: 'edit' }
const demand: Action = { key: 'case.demand', entity: 'case', type: 'demand', icon: 'edit' }
const interrupt: Action = { key: 'case.interrupt', entity: 'limitation', type: 'interrupt', icon: 'calendar' }
const hold: Action = { key: 'case.hold', entity: 'case', type: 'hold', icon: 'pause' }
const resume: Action = { key: 'case.resume', entity: 'case', type: 'resume', icon: 'play' }
const close: Action = { key: 'case.close', entity: 'case', type: 'close', icon: 'check' }
const reopen: Action = { key: 'case.reopen', entity: 'case', type: 'reopen', icon: 'up' }
const pay: Action = {
  key: 'case.payment',
  entity: 'payment',
  type: 'register',
  icon: 'money',
}

/** The payment that the address asks for, such as from the palette, until its dialog is left. */
function useAskedPayment() {
  const { pay: amount } = useSearch({ from: '/cases/$caseGuid' })
  const navigate = useNavigate({ from: '/cases/$caseGuid' })
  const forget = () => {
    if (amount !== undefined) void navigate({ search: {}, replace: true, ignoreBlocker: true })
  }
  return { amount, forget }
}

/** The actions that the case allows in its current state. */
export function CaseActions({ record }: { record: CaseByGuid }) {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write')
  const mayPay = useMay('payment.write')
  const [open, setOpen] = useState<Action | 'status' | 'call'>()
  const isOpen = record.status !== 'CLOSED'
  const isTelephone = useIsTelephone()
  const life = isOpen ? [record.hold ? resume : hold, close] : [reopen]
  const asked = useAskedPayment()
  const shut = () => {
    setOpen(undefined)
    asked.forget()
  }
  useEffect(() => {
    if (asked.amount !== undefined && mayPay) setOpen(pay)
  }, [asked.amount, mayPay])
  useKey(caseKeys.pay, () => setOpen(pay), mayPay)
  useKey(caseKeys.fee, () => setOpen(fee), mayWrite && isOpen)
  useKey(caseKeys.writeOff, () => setOpen(writeOff), mayWrite && isOpen)
  useKey(caseKeys.hold, () => setOpen(record.hold ? resume : hold), mayWrite && isOpen)
  useKey(caseKeys.close, () => setOpen(isOpen ? close : reopen), mayWrite)
  useKey(caseKeys.status, () => setOpen('status'), mayWrite && isOpen)
  const more = useRef<HTMLButtonElement>(null)
  useKey(caseKeys.more, () => openMenu(more.current), mayWrite)
  const openPlan = useOpenPlan(record.mainDebtorGuid, isOpen)
  return (
    <>
      {mayWrite && isOpen && (
        <Button variant="default" className="wide-only" onClick={() => setOpen('status')}>
          {t('case.status')}
        </Button>
      )}
      {mayWrite && (
        <Button variant="default" className="phone-only" onClick={() => setOpen('call')}>
          {t('call.log')}
        </Button>
      )}
      {mayPay && (
        <Button data-main-action leftSection={<Icon name="money" size={16} />} onClick={() => setOpen(pay)}>
          {t(pay.key)}
        </Button>
      )}
      {mayWrite && (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon ref={more} variant="default" size={36} aria-label={t('case.more')}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isTelephone && isOpen && (
              <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setOpen('status')}>
                {t('case.status')}
              </Menu.Item>
            )}
            <Items actions={life} onChoose={setOpen} />
            {isOpen && (
              <>
                <Menu.Divider />
                {openPlan && (
                  <Menu.Item leftSection={<Icon name="calendar" size={16} />} onClick={openPlan}>
                    {t('plan.make')}
                  </Menu.Item>
                )}
                <Items actions={moneyActions} onChoose={setOpen} />
                <Menu.Divider />
                <Items actions={[edit, terms, law, demand, interrupt]} onChoose={setOpen} />
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {open === 'status' && <StatusDialog record={record} onClose={shut} />}
      {open === 'call' && <CallDialog cases={[record]} onClose={shut} />}
      {open && typeof open === 'object' && (
        <ActionDialog key={open.key} action={open} record={record} amount={asked.amount} onClose={shut} />
      )}
    </>
  )
}

/** Its first item has the focus then. */
function openMenu(button: HTMLElement | null): void {
  button?.focus()
  button?.click()
}

function Items({ actions, onChoose }: { actions: readonly Action[]; onChoose: (action: Action) => void }) {
  const { t } = useTranslation()
  return actions.map((action) => (
    <Menu.Item
      key={action.key}
      leftSection={<Icon name={action.icon} size={16} />}
      onClick={() => onChoose(action)}
    >
      {t(action.key)}
    </Menu.Item>
  ))
}

interface ActionDialogProps {
  action: Action
  record: CaseByGuid
  /** Of the payment that the palette asked for. */
  amount: number | undefined
  onClose: () => void
}

function ActionDialog({ action, record, amount, onClose }: ActionDialogProps) {
  const { t } = useTranslation()
  const today = useBusinessDate()
  const choices = useFeeChoices(record, action === fee)
  const preset: FormValues = { ...(action.isDated && today && { valueDate: today }) }
  const onDone = () => {
    noticeDone(t('form.stored'))
    void refreshCase()
    onClose()
  }
  if (action === pay) {
    const paid = { ...record, debtorName: record.mainDebtorName }
    return <PaymentDialog paid={paid} amount={amount} onDone={onDone} onClose={onClose} />
  }
  return (
    <FormDialog
      title={t(action.key)}
      entity={action.entity}
      type={action.type}
      place={{ id: record.caseGuid }}
      preset={preset}
      currency={record.currencyCode}
      {...(action.main && { main: action.main })}
      choices={choices}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
