import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../texts/labels.ts'
import type { ListField } from '../list-fields.ts'
import { readSort, writeSort } from '../list-search.ts'

interface ListOrderProps {
  fields: readonly ListField[]
  columns: readonly string[]
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/** The order of a list on a telephone, where no headings can be pressed. */
export function ListOrder({ fields, columns, sort, onSort }: ListOrderProps) {
  const { t } = useTranslation()
  const label = useLabels()
  const current = readSort(sort)
  const choices = fields
    .filter(({ name, filterable }) => filterable && (columns.includes(name) || name === current?.member))
    .flatMap((field) =>
      [false, true].map((descending) => ({
        value: writeSort({ member: field.name, descending }),
        label: `${label(`field.${field.name}`, field.title)} ${descending ? '↓' : '↑'}`,
      })),
    )
  return (
    <NativeSelect
      className="phone-only list-order"
      aria-label={t('list.order')}
      data={[{ value: '', label: t('list.order') }, ...choices]}
      value={current ? writeSort(current) : ''}
      onChange={({ currentTarget }) => onSort(currentTarget.value || undefined)}
    />
  )
}
