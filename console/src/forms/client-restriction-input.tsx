import { ActionIcon, Checkbox, Group, Input, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../widgets/icons.tsx'
import type { FormSource } from './definition.ts'
import type { InputProps } from './form-model.ts'
import { splitCodes } from './list-input.tsx'

/** Follows the code of a party whose sub-parties are included. */
const below = '/*'

/** The clients to which a user is restricted. The form stores comma-separated codes; an empty list means no restriction. */
export function ClientRestrictionInput({ field, label, form, source }: InputProps) {
  const { t } = useTranslation()
  const entries = splitCodes(String(form.getValues()[field.code] ?? '')).map((text) => ({
    code: text.endsWith(below) ? text.slice(0, -below.length) : text,
    isDeep: text.endsWith(below),
  }))
  const write = (next: typeof entries) =>
    form.setFieldValue(field.code, next.map(({ code, isDeep }) => code + (isDeep ? below : '')).join(','))
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={t('restriction.about')}
      error={form.getInputProps(field.code).error as string | undefined}
      style={{ gridColumn: '1 / -1' }}
    >
      <Stack gap={6} mt={6} role="group" aria-label={label}>
        {entries.map((entry, index) => (
          <Group key={entry.code} gap="md">
            <PartyName code={entry.code} source={source} />
            <Checkbox
              size="xs"
              label={t('restriction.below')}
              checked={entry.isDeep}
              onChange={(event) =>
                write(entries.with(index, { ...entry, isDeep: event.currentTarget.checked }))
              }
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('restriction.remove', { name: entry.code })}
              onClick={() => write(entries.toSpliced(index, 1))}
            >
              <Icon name="close" size={15} />
            </ActionIcon>
          </Group>
        ))}
        <AddParty
          source={source}
          taken={entries.map(({ code }) => code)}
          onAdd={(code) => write([...entries, { code, isDeep: true }])}
        />
      </Stack>
    </Input.Wrapper>
  )
}

function PartyName({ code, source }: { code: string; source: FormSource }) {
  const { data } = useQuery({
    queryKey: ['lookup', 'party', 'key', code],
    queryFn: () => source.describe('party', code),
    staleTime: 600_000,
  })
  return (
    <Text size="sm" miw="14rem">
      {data ?? code}
    </Text>
  )
}

interface AddPartyProps {
  source: FormSource
  taken: readonly string[]
  onAdd: (code: string) => void
}

function AddParty({ source, taken, onAdd }: AddPartyProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text, 150)
  const { data } = useQuery({
    queryKey: ['lookup', 'party', wanted],
    queryFn: ({ signal }) => source.lookup('party', wanted, signal),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      aria-label={t('restriction.add')}
      placeholder={t('restriction.add')}
      maw="24rem"
      searchable
      data={(data ?? [])
        .filter(({ key }) => !taken.includes(key))
        .map(({ key, text: name }) => ({ value: key, label: name }))}
      // The service has already filtered the options.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      value={null}
      nothingFoundMessage={t('form.noValue')}
      maxDropdownHeight={280}
      onChange={(code) => {
        if (code !== null) onAdd(code)
        setText('')
      }}
    />
  )
}
