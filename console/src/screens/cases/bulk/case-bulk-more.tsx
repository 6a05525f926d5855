import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closureCodeList } from '../../../../../core/cases/case-lifecycle.ts'
import { translateLabel } from '../../../texts/labels.ts'
import { LaterDay } from '../../../widgets/days/later-day.tsx'
import { OwnerFields, useOwnerChoice } from '../../work/owner-fields.tsx'
import { CaseDialog, type DialogProps } from './case-bulk-dialog.tsx'
import { assignCases, closeCases, proposePlans, setNextActions } from './case-bulk-work.ts'

export function CloseBulk({ onClear: _onClear, ...props }: DialogProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState<string | null>(null)
  return (
    <CaseDialog
      action="close"
      title="case.close"
      input={code === null ? undefined : { closureCode: code }}
      work={code === null ? undefined : closeCases(code)}
      {...props}
    >
      <Select
        label={t('bulk.reason')}
        required
        searchable
        data={closureCodeList.map((value) => ({
          value,
          label: translateLabel(`lookup.closurecode.${value}`, value),
        }))}
        value={code}
        data-autofocus
        onChange={setCode}
      />
    </CaseDialog>
  )
}

export function AssignBulk({ onClear: _onClear, ...props }: DialogProps) {
  const choice = useOwnerChoice()
  const { input } = choice
  return (
    <CaseDialog
      action="assign"
      title="work.assign"
      input={input && { ...input }}
      work={input && assignCases(input)}
      {...props}
    >
      <OwnerFields choice={choice} />
    </CaseDialog>
  )
}

export function NextActionBulk({ onClear: _onClear, ...props }: DialogProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [day, setDay] = useState('')
  const input =
    day === '' ? undefined : { nextAction: text.trim() || null, nextActionDate: `${day}T00:00:00Z` }
  return (
    <CaseDialog
      action="nextaction"
      title="work.setNext"
      input={input}
      work={input && setNextActions(input)}
      {...props}
    >
      <TextInput
        label={t('field.nextAction')}
        maxLength={500}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <LaterDay label={t('work.on')} required day={day} onDay={setDay} />
    </CaseDialog>
  )
}

/** The types whose number of payments says all. */
const planTypes = [1, 3] as const

export function PlanBulk({ onClear: _onClear, ...props }: DialogProps) {
  const { t } = useTranslation()
  const [type, setType] = useState<string>(String(planTypes[0]))
  const [count, setCount] = useState<number | string>('')
  const input =
    typeof count === 'number' && count > 0
      ? { paymentPlanType: Number(type), numberOfPayments: count }
      : undefined
  return (
    <CaseDialog action="plan" title="bulk.plan" input={input} work={input && proposePlans(input)} {...props}>
      <Select
        label={t('plan.type')}
        allowDeselect={false}
        data={planTypes.map((one) => ({
          value: String(one),
          label: translateLabel(`lookup.paymentplantype.${one}`, String(one)),
        }))}
        value={type}
        onChange={(next) => setType(next ?? type)}
      />
      <NumberInput
        label={t('plan.number')}
        required
        min={1}
        max={600}
        allowDecimal={false}
        value={count}
        data-autofocus
        onChange={setCount}
      />
    </CaseDialog>
  )
}
