import { Badge, Button, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseMovements } from '../../../../contract/cases/all-cases.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney, textCulture } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import type { PastDays } from './amounts-panel.tsx'
import { refreshCase } from './case-changes.ts'

/** The movements of a case and the resulting ledger entries, latest first. */
export function MovementPanel({ caseGuid, days }: { caseGuid: string; days?: PastDays }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<'movements' | 'transactions'>('movements')
  const { data, error } = useQuery(
    reading('listCaseMovements', { caseGuid, culture: textCulture(), ...days }),
  )
  return (
    <Panel
      title={t('movements.title')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('movements.show')}
          data={[
            { value: 'movements', label: t('movements.movements') },
            { value: 'transactions', label: t('movements.ledger') },
          ]}
          value={shown}
          onChange={(value) => setShown(value as 'movements')}
        />
      }
    >
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={4} />}
      {data && shown === 'movements' && <Movements answer={data.body} isPast={days !== undefined} />}
      {data && shown === 'transactions' && <Transactions answer={data.body} />}
    </Panel>
  )
}

function Movements({ answer, isPast }: { answer: CaseMovements; isPast: boolean }) {
  const { t } = useTranslation()
  const mayPay = useMay('payment.write') && !isPast
  const [reversing, setReversing] = useState<string>()
  if (answer.movements.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('movements.none')}
      </Text>
    )
  return (
    <>
      <ul className="explanation">
        {answer.movements.toReversed().map((movement) => (
          <li key={movement.movementGuid} className="lined">
            <div>
              <Text size="sm" td={movement.reversed ? 'line-through' : undefined}>
                {movement.text}
              </Text>
              <Text size="xs" c="dimmed">
                {formatDateTime(movement.valueDate)}
                {movement.bookedDate !== movement.valueDate &&
                  ` · ${t('movements.booked', { date: formatDateTime(movement.bookedDate) })}`}
              </Text>
            </div>
            <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
              {movement.reversed && (
                <Badge color="gray" variant="light" tt="none">
                  {t('movements.reversed')}
                </Badge>
              )}
              {mayPay && movement.paymentGuid && !movement.reversed && !movement.reversesGuid && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-label={t('movements.reverseThis', { text: movement.text })}
                  onClick={() => setReversing(movement.paymentGuid!)}
                >
                  {t('movements.reverse')}
                </Button>
              )}
              {movement.amount !== 0 && (
                <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
                  {formatMoney(movement.amount, answer.currencyCode)}
                </Text>
              )}
            </span>
          </li>
        ))}
      </ul>
      {reversing && (
        <FormDialog
          title={t('movements.reversePayment')}
          entity="payment"
          type="reverse"
          place={{ id: reversing }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refreshCase()
            setReversing(undefined)
          }}
          onClose={() => setReversing(undefined)}
        />
      )}
    </>
  )
}

function Transactions({ answer }: { answer: CaseMovements }) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('movements.ledger')}>
      <thead>
        <tr>
          <th scope="col">{t('movements.number')}</th>
          <th scope="col">{t('movements.valueDate')}</th>
          <th scope="col">{t('movements.account')}</th>
          <th scope="col" className="amount">
            {t('movements.debit')}
          </th>
          <th scope="col" className="amount">
            {t('movements.credit')}
          </th>
        </tr>
      </thead>
      <tbody>
        {answer.transactions.toReversed().flatMap((transaction) =>
          transaction.entries.map((entry, index) => (
            <tr key={`${transaction.number} ${index}`}>
              <td>
                {index === 0 &&
                  `${transaction.number} ${translateLabel(`lookup.transactionkind.${transaction.kind}`, transaction.kind)}`}
              </td>
              <td>{index === 0 && formatDateTime(transaction.valueDate)}</td>
              <td className="code">{entry.account}</td>
              <td className="amount">{entry.amount > 0 && formatMoney(entry.amount, answer.currencyCode)}</td>
              <td className="amount">
                {entry.amount < 0 && formatMoney(-entry.amount, answer.currencyCode)}
              </td>
            </tr>
          )),
        )}
      </tbody>
    </TableFrame>
  )
}
