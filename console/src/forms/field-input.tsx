import { Checkbox, Input, Text, Textarea, TextInput } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { i18n } from '../texts/languages.ts'
import { translateLabel } from '../texts/labels.ts'
import { formatAmount, formatDateTime, formatMoney, formatNumber } from '../format/format.ts'
import { readNumber } from '../format/numbers.ts'
import { DayField, type DayFieldProps } from '../widgets/days/day-field.tsx'
import { ClientRestrictionInput } from './client-restriction-input.tsx'
import type { FormField, FormSource, Typed } from './definition.ts'
import type { Form } from './form-model.ts'
import { isListField, ListInput } from './list-input.tsx'
import { MentionInput, type TextProps } from './mention-input.tsx'
import { helpBelow, LookupInput } from './lookup-input.tsx'
import { findCurrency, isDateOnly, isDayField, type Writing } from './values.ts'

interface FieldInputProps {
  field: FormField
  form: Form
  source: FormSource
  culture: string
}

/** The input of a field, by its `displayType`. Limits are checked and reported, never enforced during typing. */
export function FieldInput(props: FieldInputProps) {
  const { field, form, source } = props
  const values = form.getValues()
  const currency = findCurrency(values, source.currency)
  const error = form.errors[field.code]
  return <DrawnInput {...props} value={values[field.code]} currency={currency} error={error} />
}

interface DrawnInputProps extends FieldInputProps {
  value: Typed | undefined
  /** In which a read-only amount is shown. */
  currency: string | undefined
  error: ReactNode
}

/**
 * Drawn again only when something of its own changes, not with every key in another field. The form itself may be a
 * former one, since all of them read and write the same values.
 */
const DrawnInput = memo(
  drawInput,
  (a, b) =>
    a.value === b.value &&
    a.currency === b.currency &&
    a.error === b.error &&
    a.field === b.field &&
    a.source === b.source &&
    a.culture === b.culture,
)

function drawInput({ field, form, source, culture, currency }: DrawnInputProps) {
  const label = field.longLabel || field.shortLabel || translateLabel(`field.${field.code}`, field.code)
  const help = helpText(field, label)
  const key = form.key(field.code)
  const shared = { name: field.code, label, required: field.required, ...help }
  if (field.displayType === 'readonly') {
    return (
      <Input.Wrapper key={key} label={label} labelElement="div" {...help} {...helpBelow}>
        <Text size="sm" py={6}>
          {showOnly(field, form.getValues()[field.code], { culture, currency }) || '–'}
        </Text>
      </Input.Wrapper>
    )
  }
  if (field.displayType === 'checkbox' || field.type === 'boolean')
    return (
      <Checkbox key={key} mt={28} {...shared} {...form.getInputProps(field.code, { type: 'checkbox' })} />
    )
  if (field.code === 'clientRestriction')
    return <ClientRestrictionInput key={key} field={field} label={label} form={form} source={source} />
  if (isListField(field))
    return <ListInput key={key} field={field} label={label} form={form} source={source} />
  if (field.lookupCode !== '' || field.specificValues !== '')
    return <LookupInput key={key} field={field} label={label} help={help} form={form} source={source} />
  if (field.displayType === 'textarea' || field.multiline > 1)
    return source.mentions ? (
      <MentionInput
        key={key}
        {...shared}
        {...helpBelow}
        loadNames={source.mentions}
        {...(form.getInputProps(field.code) as TextProps)}
      />
    ) : (
      <Textarea
        key={key}
        {...shared}
        {...helpBelow}
        autosize
        minRows={Math.max(2, field.multiline)}
        style={{ gridColumn: '1 / -1' }}
        {...form.getInputProps(field.code)}
      />
    )
  if (isDayField(field)) {
    const { value, onBlur, error } = form.getInputProps(field.code) as DayProps
    return (
      <DayField
        key={key}
        {...shared}
        {...helpBelow}
        value={value}
        error={error}
        onBlur={onBlur}
        withTime={!isDateOnly(field)}
        onChange={(day) => form.setFieldValue(field.code, day)}
      />
    )
  }
  return (
    <TextInput
      key={key}
      {...shared}
      {...helpBelow}
      {...inputKind(field)}
      {...form.getInputProps(field.code)}
    />
  )
}

type DayProps = Pick<DayFieldProps, 'value' | 'onBlur' | 'error'>

/** The description of a field (aria-describedby), where there is one beside the label. */
const helpText = ({ description }: FormField, label: string): { description?: string } =>
  description === '' || description === label ? {} : { description }

/** A read-only value, as it is shown elsewhere on the screen. */
function showOnly({ code, type, lookupCode }: FormField, value: Typed | undefined, writing: Writing): string {
  if (typeof value === 'boolean') return i18n.t(value ? 'value.yes' : 'value.no')
  if (type === 'datetime' || type === 'date') return formatDateTime(value ?? null)
  const isAmount = (type === 'money' || type === 'decimal') && lookupCode === ''
  const number = isAmount ? readNumber(value ?? '', writing.culture) : undefined
  if (number === undefined)
    return code === 'allocation' ? formatAllocation(value ?? '', writing.currency) : (value ?? '')
  return type === 'money' ? formatMoney(number, writing.currency) : formatNumber(number, decimalsMost)
}

const decimalsMost = 10

/** The lines of an allocation, such as `1000421: −500 → 880.5`: the service writes the same to all readers. */
const formatAllocation = (lines: string, currency: string | undefined): string =>
  lines.replaceAll(/(?<=−|→ )\d+(?:\.\d+)?/g, (amount) => formatAmount(Number(amount), currency))

/** The keyboard on a telephone, and the browser's autocompletion. */
function inputKind({ code, type }: FormField) {
  if (type === 'integer') return { inputMode: 'numeric' as const }
  if (type === 'money' || type === 'decimal') return { inputMode: 'decimal' as const }
  if (/password/i.test(code)) return { type: 'password', autoComplete: 'new-password' }
  if (/phone/i.test(code)) return { type: 'tel', autoComplete: 'off' }
  return { autoComplete: 'off' }
}
