import { Checkbox, SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OverviewCase } from '../../../../contract/cases/cases.ts'
import { userCulture, formatMoney } from '../../format/format.ts'
import { AmountInput } from '../../forms/amount-input.tsx'
import { readNumber } from '../../format/numbers.ts'
import { translateLabel } from '../../texts/labels.ts'
import { DayField } from '../../widgets/days/day-field.tsx'
import {
  hasClosingPayment,
  hasEvenPayments,
  hasPayDay,
  rhythms,
  takesBoth,
  type PlanChoice,
} from './plan-choice.ts'

interface PlanFormProps {
  cases: readonly OverviewCase[]
  currency: string
  choice: PlanChoice
  onChange: (change: Partial<PlanChoice>) => void
}

export function PlanForm({ cases, currency, choice, onChange }: PlanFormProps) {
  const { t } = useTranslation()
  const both = takesBoth(choice.type)
  const amountField = (name: 'amount' | 'registrationFee' | 'invoiceFee') => (
    <AmountInput
      label={t(`plan.${name}`)}
      currency={currency}
      value={choice[name]}
      onChange={(text) => onChange({ [name]: text })}
    />
  )
  return (
    <Stack gap="md">
      <Select
        label={t('plan.type')}
        data={[1, 2, 3, 4, 5].map((type) => ({
          value: String(type),
          label: translateLabel(`lookup.paymentplantype.${type}`, String(type)),
        }))}
        value={String(choice.type)}
        allowDeselect={false}
        onChange={(type) => onChange({ type: Number(type) })}
      />
      {!both && (
        <SegmentedControl
          aria-label={t('plan.by')}
          data={[
            { value: 'number', label: t('plan.byNumber') },
            { value: 'amount', label: t('plan.byAmount') },
          ]}
          value={choice.by}
          onChange={(by) => onChange({ by: by as 'number' })}
        />
      )}
      <SimpleGrid cols={2} style={{ alignItems: 'end' }}>
        {(both || choice.by === 'number') && (
          <NumberField name="number" choice={choice} onChange={onChange} />
        )}
        {(both || choice.by === 'amount') && amountField('amount')}
        <Rhythm choice={choice} onChange={onChange} />
        {choice.type !== 5 && amountField('registrationFee')}
        {choice.type !== 5 && amountField('invoiceFee')}
      </SimpleGrid>
      <Settings choice={choice} onChange={onChange} />
      <CaseChoice cases={cases} choice={choice} onChange={onChange} />
    </Stack>
  )
}

type FieldProps = Pick<PlanFormProps, 'choice' | 'onChange'>
/** A whole number. */
function NumberField({ name, choice, onChange }: FieldProps & { name: 'number' | 'payDay' }) {
  const { t } = useTranslation()
  const text = choice[name]
  return (
    <TextInput
      label={t(`plan.${name}`)}
      inputMode="numeric"
      value={text}
      error={
        text.trim() !== '' && readNumber(text, userCulture()) === undefined ? t('fault.number') : undefined
      }
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
}

/** When the payments are due. */
function Rhythm({ choice, onChange }: FieldProps) {
  const { t } = useTranslation()
  const known = rhythms.some((rhythm) => rhythm === choice.rhythm) ? rhythms : [choice.rhythm, ...rhythms]
  return (
    <>
      <DayField
        label={t('plan.firstDueDate')}
        value={choice.firstDueDate}
        onChange={(firstDueDate) => onChange({ firstDueDate })}
      />
      <Select
        label={t('plan.rhythm')}
        data={known.map((value) => ({ value, label: translateLabel(`plan.rhythm.${value}`, value) }))}
        value={choice.rhythm}
        allowDeselect={false}
        onChange={(rhythm) => onChange({ rhythm: rhythm! })}
      />
      {hasPayDay(choice.rhythm) && <NumberField name="payDay" choice={choice} onChange={onChange} />}
    </>
  )
}

function Settings({ choice, onChange }: FieldProps) {
  const { t } = useTranslation()
  const shown = {
    businessDays: true,
    evenPayments: hasEvenPayments(choice),
    closingPayment: hasClosingPayment(choice),
  }
  return (
    <Stack gap={8}>
      {(['businessDays', 'evenPayments', 'closingPayment'] as const)
        .filter((name) => shown[name])
        .map((name) => (
          <Checkbox
            key={name}
            label={t(`plan.${name}`)}
            checked={choice[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
          />
        ))}
    </Stack>
  )
}

function CaseChoice({ cases, choice, onChange }: Omit<PlanFormProps, 'currency'>) {
  const { t } = useTranslation()
  return (
    <Checkbox.Group
      label={t('navigation.cases')}
      value={choice.cases}
      onChange={(chosen) => onChange({ cases: chosen })}
    >
      <Stack gap={6} mt={4}>
        {cases.map((one) => (
          <Checkbox
            key={one.caseGuid}
            value={one.caseGuid}
            label={
              <>
                {one.caseNumber} · {one.clientName}{' '}
                <Text span c="dimmed" size="sm">
                  {formatMoney(one.remainingSum, one.currencyCode)}
                </Text>
              </>
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
