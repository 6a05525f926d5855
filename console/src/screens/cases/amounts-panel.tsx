import { Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import type { CaseExplanation } from '../../../../contract/cases/case-explanation.ts'
import { reading } from '../../api/queries.ts'
import { formatAmount, formatDateTime, formatMoney, textCulture } from '../../format/format.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { useIsTelephone } from '../../widgets/use-cards.ts'
import { AmountEvents } from './amount-events.tsx'

/** The days of an answer about the past. */
export type PastDays = { asOf: string; knownAt?: string }

const components = ['Principal', 'Interest', 'Fee', 'Sum'] as const
const columns = ['original', 'accrued', 'paid', 'writtenOff', 'remaining'] as const

/** The amounts of a case by component: original, accrued, paid, remaining. Each figure opens its explanation. */
export function AmountsPanel({ record, days }: { record: CaseByGuid | undefined; days?: PastDays }) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<string>()
  const { data, error } = useQuery({
    ...reading('explainCase', {
      debtorGuid: record?.mainDebtorGuid ?? '',
      caseGuid: record?.caseGuid ?? '',
      culture: textCulture(),
      ...days,
    }),
    enabled: record !== undefined,
  })
  const explanation = data?.body
  const figures = new Map(explanation?.figures.map((figure) => [figure.figure, figure]))
  const shown = columns.filter((column) => column !== 'writtenOff' || figures.get('writtenOffSum')?.amount)
  return (
    <Panel title={t('amounts.title')}>
      <ProblemAlert error={error} />
      {!explanation && !error && <LinesSkeleton lines={5} />}
      {explanation && (
        <TableFrame title={t('amounts.title')}>
          <thead>
            <tr>
              <th scope="col">{explanation.currencyCode}</th>
              {shown.map((column) => (
                <th key={column} scope="col" className="amount">
                  {t(`amounts.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {components.map((component) => (
              <tr key={component} data-sum={component === 'Sum' || undefined}>
                <th scope="row">{t(`amounts.${component}`)}</th>
                {shown.map((column) => (
                  <Figure
                    key={column}
                    name={`${t(`amounts.${component}`)}, ${t(`amounts.${column}`)}`}
                    amount={figures.get(column + component)?.amount ?? 0}
                    currency={explanation.currencyCode}
                    onAsk={() => setAsked(column + component)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
      {explanation && record && !days && (
        <Disputed
          caseGuid={record.caseGuid}
          remaining={figures.get('remainingSum')?.amount ?? 0}
          currency={explanation.currencyCode}
        />
      )}
      {explanation && <AmountEvents explanation={explanation} />}
      {explanation && asked && (
        <ExplanationDialog explanation={explanation} figure={asked} onClose={() => setAsked(undefined)} />
      )}
    </Panel>
  )
}

interface DisputedProps {
  caseGuid: string
  remaining: number
  currency: string
}

/** What open objections dispute: the whole claim, or a part of it. It is owed until it is decided, but not demanded. */
function Disputed({ caseGuid, remaining, currency }: DisputedProps) {
  const { t } = useTranslation()
  const { data } = useQuery(reading('listObjections', { $filter: `caseGuid eq ${caseGuid}`, $top: 50 }))
  const open = (data?.body.value ?? []).filter(
    ({ matter, decidedDate }) => matter === 'OBJECTION' && decidedDate === null,
  )
  if (open.length === 0 || remaining <= 0) return null
  const parts = open.reduce((sum, { amount }) => sum + (amount ?? remaining), 0)
  return (
    <Text size="sm" mt="xs">
      {t('amounts.disputed', { amount: formatMoney(Math.min(parts, remaining), currency) })}
    </Text>
  )
}

interface FigureProps {
  name: string
  amount: number
  currency: string
  onAsk: () => void
}

function Figure({ name, amount, currency, onAsk }: FigureProps) {
  const { t } = useTranslation()
  // A card has no heading with the currency.
  const format = useIsTelephone() ? formatMoney : formatAmount
  return (
    <td className="amount">
      {amount === 0 ? (
        format(amount, currency)
      ) : (
        <button
          type="button"
          className="figure"
          aria-label={t('amounts.explain', { name, amount: formatMoney(amount, currency) })}
          onClick={onAsk}
        >
          {format(amount, currency)}
        </button>
      )}
    </td>
  )
}

interface ExplanationDialogProps {
  explanation: CaseExplanation
  figure: string
  onClose: () => void
}

/** The postings and interest periods that add up to a figure. */
function ExplanationDialog({ explanation, figure, onClose }: ExplanationDialogProps) {
  const { t } = useTranslation()
  const found = explanation.figures.find((one) => one.figure === figure)
  const [, column = '', component = ''] = /^([a-z]+(?:Off)?)([A-Z]\w*)$/.exec(figure) ?? []
  const title = `${t(`amounts.${component as 'Sum'}`)}, ${t(`amounts.${column as 'paid'}`)}`
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <ul className="explanation">
        {found?.lines.map((line, index) => (
          <li key={index} className="lined">
            <div>
              <Text size="sm">{line.text}</Text>
              <Text size="xs" c="dimmed">
                {formatDateTime(line.date)}
                {line.note !== undefined && ` · ${line.note}`}
              </Text>
            </div>
            <Text size="sm" fw={500}>
              {formatMoney(line.amount, explanation.currencyCode)}
            </Text>
          </li>
        ))}
        <li>
          <Text size="sm" fw={600}>
            {t('amounts.Sum')}
          </Text>
          <Text size="sm" fw={600}>
            {formatMoney(found?.amount ?? 0, explanation.currencyCode)}
          </Text>
        </li>
      </ul>
    </Modal>
  )
}
