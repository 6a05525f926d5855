import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../texts/labels.ts'
import { Icon } from '../widgets/icons.tsx'
import { readFilter, writeFilter } from './filter-text.ts'
import type { ListField } from './list-fields.ts'

interface QuickFilterProps {
  member: string
  fields: readonly ListField[]
  filter: string
  onFilter: (filter: string) => void
}

/** Adds one `contains` condition to the filter. */
export function QuickFilter({ member, fields, filter, onFilter }: QuickFilterProps) {
  const { t } = useTranslation()
  const label = useLabels()
  const read = readFilter(filter, fields)
  const mine =
    read && !read.any
      ? read.conditions.find((one) => one.member === member && one.operator === 'contains')
      : undefined
  const [text, setText] = useState(mine?.value ?? '')
  const shown = mine?.value ?? ''
  useEffect(() => setText(shown), [shown])
  const apply = (value: string) => {
    if (!read || read.any) return
    const others = read.conditions.filter((one) => one !== mine)
    const conditions = value === '' ? others : [...others, { member, operator: 'contains' as const, value }]
    onFilter(writeFilter({ any: false, conditions }, fields))
  }
  const applySoon = useDebouncedCallback(apply, 250)
  const field = fields.find(({ name }) => name === member)!
  const name = t('list.quick', { field: label(`field.${member}`, field.title).toLowerCase() })
  return (
    <TextInput
      size="sm"
      w={230}
      placeholder={name}
      aria-label={name}
      disabled={!read || read.any}
      leftSection={<Icon name="search" size={15} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        applySoon(event.currentTarget.value.trim())
      }}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={t('action.clear')}
            onClick={() => {
              setText('')
              apply('')
            }}
          />
        )
      }
    />
  )
}
