import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LookupValue } from './definition.ts'
import type { InputProps } from './form-model.ts'

interface LookupInputProps extends InputProps {
  /** The description of the field, if any. */
  help: { description?: string }
}

/** Descriptions and errors stand below the input, so that adjacent inputs stay aligned. */
export const helpBelow = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
    'label' | 'input' | 'description' | 'error'
  )[],
}

/** Chooses a value of a lookup, with search (S7), or one of the fixed values in the form's definition. */
export function LookupInput({ field, label, help, form, source }: LookupInputProps) {
  const { t } = useTranslation()
  const props = form.getInputProps(field.code)
  const value = String(form.getValues()[field.code] ?? '')
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text, 150)
  const code = field.lookupCode
  const fixed =
    source.choices?.[field.code] ??
    (code === ''
      ? field.specificValues.split(',').map((key) => ({ key: key.trim(), text: key.trim() }))
      : undefined)
  const chosen = useQuery({
    queryKey: ['lookup', code, 'key', value],
    queryFn: () => source.describe(code, value),
    enabled: code !== '' && value !== '',
    staleTime: 600_000,
  })
  const isChosen = wanted === '' || wanted === chosen.data
  const found = useQuery({
    queryKey: ['lookup', code, isChosen ? '' : wanted],
    queryFn: ({ signal }) => source.lookup(code, isChosen ? '' : wanted, signal),
    enabled: fixed === undefined,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  // A code outside the lookup is accepted as typed if the field does not have to match the lookup.
  const typed = fixed !== undefined || field.mustMatchLookup || isChosen ? '' : wanted.trim()
  const known = withChosen(fixed ?? found.data ?? [], value, chosen.data)
  const isNew = typed !== '' && !known.some(({ key }) => key === typed)
  const values = isNew ? [...known, { key: typed, text: typed }] : known
  return (
    <Select
      label={label}
      {...help}
      {...helpBelow}
      name={field.code}
      required={field.required}
      searchable
      clearable={!field.required}
      // The button clears; a press on what is chosen already means it.
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': t('form.clear', { field: label }) }}
      data={values.map(({ key, text: name }) => ({ value: key, label: name }))}
      // The service has already filtered the options.
      {...(fixed === undefined && { filter: ({ options }) => options })}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={found.isFetching ? t('form.searching') : t('form.noValue')}
      maxDropdownHeight={280}
      value={value === '' ? null : value}
      onChange={(key) => form.setFieldValue(field.code, key ?? '')}
      onBlur={props.onBlur as () => void}
      error={props.error as string | undefined}
    />
  )
}

/** Adds the current value to the options, whatever was searched for. */
function withChosen(values: readonly LookupValue[], key: string, text: string | undefined): LookupValue[] {
  const unique = [...new Map(values.map((value) => [value.key, value])).values()]
  if (key === '' || unique.some((value) => value.key === key)) return unique
  return [{ key, text: text ?? key }, ...unique]
}
