import { Badge, Button, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseStatement, StatementLine } from '../../../../../contract/cases/case-statement.ts'
import { formatDateTime, formatMoney } from '../../../format/format.ts'
import { useMay } from '../../../session/session.ts'
import { translateLabel } from '../../../texts/labels.ts'
import { FormDialog } from '../../../widgets/form-dialog.tsx'
import { noticeDone } from '../../../widgets/notices.ts'
import { TableFrame } from '../../../widgets/table-frame.tsx'
import { refreshCase } from '../case-changes.ts'

interface StatementTableProps {
  statement: CaseStatement
  isPast: boolean
}

/** Signed amounts with the running balance. A line's text opens its entries; a payment can be reversed. */
export function StatementTable({ statement, isPast }: StatementTableProps) {
  const { t } = useTranslation()
  const mayPay = useMay('payment.write') && !isPast
  const [opened, setOpened] = useState<StatementLine>()
  const [reversing, setReversing] = useState<string>()
  const { lines, currencyCode } = statement
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('statement.none')}
      </Text>
    )
  return (
    <>
      <TableFrame title={t('statement.title')}>
        <thead>
          <tr>
            <th scope="col">{t('statement.valueDate')}</th>
            <th scope="col">{t('statement.what')}</th>
            <th scope="col" className="amount">
              {t('statement.amount')}
            </th>
            <th scope="col" className="amount">
              {t('statement.balance')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.transactionGuid}>
              <td>{formatDateTime(line.valueDate)}</td>
              <td className="wraps">
                <What
                  line={line}
                  currencyCode={currencyCode}
                  onOpen={() => setOpened(line)}
                  onReverse={mayPay && mayReverse(line) ? () => setReversing(line.paymentGuid!) : undefined}
                />
              </td>
              <td className="amount">{formatMoney(line.amount, currencyCode)}</td>
              <td className="amount">{formatMoney(line.balance, currencyCode)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {opened && (
        <EntriesDialog line={opened} currencyCode={currencyCode} onClose={() => setOpened(undefined)} />
      )}
      {reversing && <ReverseDialog paymentGuid={reversing} onClose={() => setReversing(undefined)} />}
    </>
  )
}

const mayReverse = ({ paymentGuid, reversed, reversesNumber }: StatementLine): boolean =>
  paymentGuid !== null && !reversed && reversesNumber === null

interface WhatProps {
  line: StatementLine
  currencyCode: string
  onOpen: () => void
  onReverse: (() => void) | undefined
}

function What({ line, currencyCode, onOpen, onReverse }: WhatProps) {
  const { t } = useTranslation()
  return (
    <>
      <button type="button" className="figure" onClick={onOpen}>
        {line.text}
      </button>{' '}
      {line.reversed && (
        <Badge color="gray" variant="light" tt="none">
          {t('statement.reversed')}
        </Badge>
      )}
      {onReverse && (
        <Button
          size="compact-xs"
          variant="subtle"
          className="no-print"
          aria-label={t('statement.reverseThis', { text: line.text })}
          onClick={onReverse}
        >
          {t('statement.reverse')}
        </Button>
      )}
      <Text size="xs" c="dimmed">
        {[
          line.detail,
          line.surplus !== 0 && t('statement.surplus', { amount: formatMoney(line.surplus, currencyCode) }),
          line.bookedDate !== line.valueDate &&
            t('statement.booked', { date: formatDateTime(line.bookedDate) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </>
  )
}

interface EntriesDialogProps {
  line: StatementLine
  currencyCode: string
  onClose: () => void
}

/** The entries of a line in double entry. */
function EntriesDialog({ line, currencyCode, onClose }: EntriesDialogProps) {
  const { t } = useTranslation()
  const title = t('statement.entries', { number: line.number })
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Text size="sm" mb="sm">
        {line.text}
      </Text>
      <TableFrame title={title}>
        <thead>
          <tr>
            <th scope="col">{t('statement.account')}</th>
            <th scope="col" className="amount">
              {t('statement.debit')}
            </th>
            <th scope="col" className="amount">
              {t('statement.credit')}
            </th>
          </tr>
        </thead>
        <tbody>
          {line.entries.map(({ account, amount }, index) => (
            <tr key={index}>
              <td>{translateLabel(`lookup.ledgeraccount.${account}`, account)}</td>
              <td className="amount">{amount > 0 && formatMoney(amount, currencyCode)}</td>
              <td className="amount">{amount < 0 && formatMoney(-amount, currencyCode)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Modal>
  )
}

function ReverseDialog({ paymentGuid, onClose }: { paymentGuid: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('statement.reversePayment')}
      entity="payment"
      type="reverse"
      place={{ id: paymentGuid }}
      onDone={() => {
        noticeDone(t('form.stored'))
        void refreshCase()
        onClose()
      }}
      onClose={onClose}
    />
  )
}
