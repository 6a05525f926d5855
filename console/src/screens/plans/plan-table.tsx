import { ActionIcon, Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isDate } from '../../../../core/calendar/calendar.ts'
import { userCulture, formatAmount, formatDateTime } from '../../format/format.ts'
import { AmountInput } from '../../forms/amount-input.tsx'
import { findAmountFault } from '../../forms/values.ts'
import { readNumber, writeAmount } from '../../format/numbers.ts'
import { DayField } from '../../widgets/days/day-field.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import type { ChartRow } from './plan-chart.tsx'

export interface ScheduleRow extends ChartRow {
  dueDate: string
}
export interface Deviation {
  dueDate?: string
  amount?: number
}
export type Deviations = Readonly<Record<number, Deviation>>

interface PlanTableProps {
  rows: readonly ScheduleRow[]
  currency: string
  deviations: Deviations
  /** Without it the schedule is read-only. */
  onDeviate?: ((paymentNo: number, deviation: Deviation | undefined) => void) | undefined
  /** The row being edited, and a callback when that changes. */
  editing: number | undefined
  onEdit: (paymentNo: number | undefined) => void
  /** Says which payments can be changed. Default: all. */
  isOpen?: (paymentNo: number) => boolean
  /** The state of a payment, for a column of its own. */
  stateCell?: (paymentNo: number) => ReactNode
}

/** The schedule, in which a payment can be given its own date or amount. */
export function PlanTable({
  rows,
  currency,
  deviations,
  onDeviate,
  editing,
  onEdit,
  isOpen = () => true,
  stateCell,
}: PlanTableProps) {
  const { t } = useTranslation()
  const total = (part: 'instalment' | 'interest' | 'fee' | 'amount') =>
    formatAmount(
      rows.reduce((sum, row) => sum + row[part], 0),
      currency,
    )
  return (
    <TableFrame title={t('plan.schedule')}>
      <thead>
        <tr>
          <th scope="col">{t('plan.ordinal')}</th>
          <th scope="col">{t('field.dueDate')}</th>
          {(['instalment', 'interest', 'fee', 'amount', 'balance'] as const).map((part) => (
            <th key={part} scope="col" className="amount">
              {t(`plan.${part}`)}
            </th>
          ))}
          {stateCell && <th scope="col">{t('field.active')}</th>}
          {onDeviate && (
            <th>
              <span className="visually-hidden">{t('list.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) =>
          onDeviate && editing === row.paymentNo ? (
            <EditedRow
              key={row.paymentNo}
              row={row}
              currency={currency}
              given={deviations[row.paymentNo]}
              onDone={(deviation) => {
                onDeviate(row.paymentNo, deviation)
                onEdit(undefined)
              }}
              onCancel={() => onEdit(undefined)}
              columns={stateCell ? 3 : 2}
            />
          ) : (
            <Row
              key={row.paymentNo}
              row={row}
              currency={currency}
              deviates={deviations[row.paymentNo] !== undefined}
              state={stateCell?.(row.paymentNo)}
              {...(onDeviate && {
                steps: isOpen(row.paymentNo)
                  ? {
                      onEdit: () => onEdit(row.paymentNo),
                      onReset: () => onDeviate(row.paymentNo, undefined),
                    }
                  : null,
              })}
            />
          ),
        )}
        <tr data-sum>
          <th scope="row" colSpan={2}>
            {t('amounts.Sum')}
          </th>
          {(['instalment', 'interest', 'fee', 'amount'] as const).map((part) => (
            <td key={part} className="amount">
              {total(part)}
            </td>
          ))}
          <td colSpan={1 + (stateCell ? 1 : 0) + (onDeviate ? 1 : 0)} />
        </tr>
      </tbody>
    </TableFrame>
  )
}

interface RowProps {
  row: ScheduleRow
  currency: string
  deviates: boolean
  state: ReactNode
  /** Null for a payment that can no longer be changed. */
  steps?: RowSteps | null
}
interface RowSteps {
  onEdit: () => void
  onReset: () => void
}

function Row({ row, currency, deviates, state, steps }: RowProps) {
  return (
    <tr data-deviates={deviates || undefined}>
      <td>{row.paymentNo}</td>
      <td>{formatDateTime(row.dueDate)}</td>
      <td className="amount">{formatAmount(row.instalment, currency)}</td>
      <td className="amount">{formatAmount(row.interest, currency)}</td>
      <td className="amount">{formatAmount(row.fee, currency)}</td>
      <td className="amount">{formatAmount(row.amount, currency)}</td>
      <td className="amount">{formatAmount(row.balance, currency)}</td>
      {state !== undefined && <td>{state}</td>}
      {steps !== undefined && (
        <td style={{ textAlign: 'end' }}>
          {steps && <Steps number={row.paymentNo} deviates={deviates} {...steps} />}
        </td>
      )}
    </tr>
  )
}

function Steps({ number, deviates, onEdit, onReset }: RowSteps & { number: number; deviates: boolean }) {
  const { t } = useTranslation()
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {deviates && (
        <ActionIcon variant="subtle" color="gray" aria-label={t('plan.reset', { number })} onClick={onReset}>
          <Icon name="close" size={15} />
        </ActionIcon>
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={t('plan.change', { number })} onClick={onEdit}>
        <Icon name="edit" size={15} />
      </ActionIcon>
    </Group>
  )
}

interface EditedRowProps {
  /** The number of columns left for the buttons. */
  columns: number
  row: ScheduleRow
  currency: string
  given: Deviation | undefined
  onDone: (deviation: Deviation | undefined) => void
  onCancel: () => void
}

/** Clearing a field restores the plan's own value. */
function EditedRow({ row, currency, given, onDone, onCancel, columns }: EditedRowProps) {
  const { t } = useTranslation()
  const culture = userCulture()
  const [date, setDate] = useState(given?.dueDate ?? '')
  const [text, setText] = useState(
    given?.amount === undefined ? '' : writeAmount(given.amount, currency, culture),
  )
  const amount = text.trim() === '' ? undefined : readNumber(text, culture)
  const isWrong = findAmountFault(text, { culture, currency }) !== undefined || (date !== '' && !isDate(date))
  const finish = () => {
    if (isWrong) return
    const deviation = { ...(date !== '' && { dueDate: date }), ...(amount !== undefined && { amount }) }
    onDone(Object.keys(deviation).length > 0 ? deviation : undefined)
  }
  return (
    <tr
      onKeyDown={(event) => {
        // On a button, Enter presses the button.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) finish()
        if (event.key === 'Escape') onCancel()
      }}
    >
      <td>{row.paymentNo}</td>
      <td colSpan={2}>
        <DayField
          size="xs"
          aria-label={t('plan.dueOf', { number: row.paymentNo })}
          value={date}
          autoFocus
          onChange={setDate}
        />
      </td>
      <td colSpan={3}>
        <AmountInput
          size="xs"
          aria-label={t('plan.amountOf', { number: row.paymentNo })}
          placeholder={formatAmount(row.amount, currency)}
          currency={currency}
          value={text}
          onChange={setText}
        />
      </td>
      <td colSpan={columns}>
        <Group gap={4} justify="flex-end">
          <Button size="compact-xs" onClick={finish}>
            {t('filter.apply')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={onCancel}>
            {t('action.cancel')}
          </Button>
        </Group>
      </td>
    </tr>
  )
}
