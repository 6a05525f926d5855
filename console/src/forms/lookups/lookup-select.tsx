import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describe, lookUp } from '../server-form.ts'

interface LookupSelectProps extends Pick<
  SelectProps,
  'placeholder' | 'required' | 'w' | 'description' | 'disabled'
> {
  /** The name of a lookup (S7), such as `client`. */
  code: string
  label: string
  /** Narrows the lookup, as the country does municipalities. */
  narrow?: string
  value: string | null
  onChange: (key: string | null) => void
}

/** Chooses a record of a lookup, with search (S7), outside a form. */
export function LookupSelect({ code, label, narrow, value, onChange, ...props }: LookupSelectProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text, 150)
  const chosen = useQuery({
    queryKey: ['lookup', code, 'key', value],
    queryFn: () => describe(code, value!),
    enabled: value !== null,
    staleTime: 600_000,
  })
  const search = wanted === chosen.data ? '' : wanted
  const found = useQuery({
    queryKey: ['lookup', code, search, narrow],
    queryFn: ({ signal }) => lookUp(code, search, signal, narrow),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const data = (found.data ?? []).map(({ key, text: name }) => ({ value: key, label: name }))
  if (value !== null && !data.some((one) => one.value === value))
    data.unshift({ value, label: chosen.data ?? '…' })
  return (
    <Select
      {...props}
      label={label}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('form.clear', { field: label }) }}
      data={data}
      // The service has already filtered the options.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={found.isFetching ? t('form.searching') : t('form.noValue')}
      maxDropdownHeight={280}
      value={value}
      onChange={onChange}
    />
  )
}
