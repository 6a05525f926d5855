import { Checkbox, SegmentedControl, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OverviewCase } from '../../../../contract/cases/cases.ts'
import { userCulture, formatMoney } from '../../format/format.ts'
import { readNumber } from '../../format/numbers.ts'
import { translateLabel } from '../../texts/labels.ts'

export interface PlanChoice {
  type: number
  by: 'number' | 'amount'
  number: string
  amount: string
  registrationFee: string
  invoiceFee: string
  cases: string[]
}

/** Types that need both the number of payments and the amount. */
export const takesBoth = (type: number): boolean => type === 2 || type === 4 || type === 5

interface PlanFormProps {
  cases: readonly OverviewCase[]
  choice: PlanChoice
  onChange: (change: Partial<PlanChoice>) => void
}

export function PlanForm({ cases, choice, onChange }: PlanFormProps) {
  const { t } = useTranslation()
  const both = takesBoth(choice.type)
  const field = (name: 'number' | 'amount' | 'registrationFee' | 'invoiceFee') => (
    <TextInput
      label={t(`plan.${name}`)}
      inputMode={name === 'number' ? 'numeric' : 'decimal'}
      value={choice[name]}
      error={
        choice[name].trim() !== '' && readNumber(choice[name], userCulture()) === undefined
          ? t('fault.number')
          : undefined
      }
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
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
        {(both || choice.by === 'number') && field('number')}
        {(both || choice.by === 'amount') && field('amount')}
        {choice.type !== 5 && field('registrationFee')}
        {choice.type !== 5 && field('invoiceFee')}
      </SimpleGrid>
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
    </Stack>
  )
}
