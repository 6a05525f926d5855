/** Fields whose text is a comma-separated list (contract/metadata/forms/form.ts). Elements are chosen from a lookup. */
import { MultiSelect, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventFilters } from '../../../contract/platform/event-types.ts'
import type { FormField } from './definition.ts'
import type { InputProps } from './form-model.ts'

/** The lookup of each such field. */
const fieldLookups: Record<string, string> = {
  accessGroups: 'accessgroup',
  accessCodes: 'accesscode',
  services: 'caseservice',
}
const offered: Record<string, readonly string[]> = {
  types: eventFilters,
}
export const isListField = ({ code, displayType }: FormField): boolean =>
  displayType !== 'readonly' && (Object.hasOwn(fieldLookups, code) || Object.hasOwn(offered, code))

/** Splits at commas. A comma within an element is escaped with a backslash. */
export const splitCodes = (text: string): string[] =>
  text
    .split(/(?<!\\),/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

export function ListInput({ field, label, form, source }: InputProps) {
  const { t } = useTranslation()
  const code = fieldLookups[field.code]
  const { data } = useQuery({
    queryKey: ['lookup', code, ''],
    queryFn: ({ signal }) => source.lookup(code!, '', signal),
    enabled: code !== undefined,
    staleTime: 60_000,
  })
  const value = splitCodes(String(form.getValues()[field.code] ?? ''))
  const props = {
    label,
    name: field.code,
    required: field.required,
    clearable: true,
    clearButtonProps: { 'aria-label': t('form.clear', { field: label }) },
    value,
    error: form.getInputProps(field.code).error as string | undefined,
    onChange: (chosen: string[]) => form.setFieldValue(field.code, chosen.join(',')),
    style: { gridColumn: '1 / -1' },
  }
  if (code === undefined)
    return (
      <TagsInput
        {...props}
        data={[...offered[field.code]!]}
        maxDropdownHeight={280}
        // Below the input, the dropdown would cover it.
        inputWrapperOrder={['label', 'description', 'error', 'input']}
        description={t('form.tags')}
      />
    )
  const known = (data ?? []).map(({ key, text }) => ({
    value: key,
    label: text.includes(key) ? text : `${text} (${key})`,
  }))
  const missing = value.filter((one) => known.every((other) => other.value !== one))
  return (
    <MultiSelect
      {...props}
      searchable
      data={[...known, ...missing.map((one) => ({ value: one, label: one }))]}
      nothingFoundMessage={t('form.noValue')}
      maxDropdownHeight={280}
    />
  )
}
