import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describe, lookUp } from '../server-form.ts'

interface LookupManyProps extends Pick<MultiSelectProps, 'placeholder'> {
  /** The name of a lookup (S7), such as `country`. */
  code: string
  label: string
  value: readonly string[]
  onChange: (keys: string[]) => void
}

/** Chooses several values of a lookup, with search (S7), outside a form. */
export function LookupMany({ code, label, value, placeholder, onChange }: LookupManyProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text, 150)
  const names = useQueries({
    queries: value.map((key) => ({
      queryKey: ['lookup', code, 'key', key],
      queryFn: () => describe(code, key),
      staleTime: 600_000,
    })),
  })
  const found = useQuery({
    queryKey: ['lookup', code, wanted],
    queryFn: ({ signal }) => lookUp(code, wanted, signal),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const chosen = value.map((key, index) => ({ value: key, label: names[index]?.data ?? '…' }))
  const others = (found.data ?? [])
    .filter(({ key }) => !value.includes(key))
    .map(({ key, text: name }) => ({ value: key, label: name }))
  return (
    <MultiSelect
      label={label}
      {...(value.length === 0 && { placeholder })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('form.clear', { field: label }) }}
      data={[...chosen, ...others]}
      hidePickedOptions
      // The service has already filtered the options.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={found.isFetching ? t('form.searching') : t('form.noValue')}
      maxDropdownHeight={280}
      value={[...value]}
      onChange={onChange}
    />
  )
}
