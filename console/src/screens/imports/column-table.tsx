import { Alert, Badge, Group, Select, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { kindsOfParties } from '../../../../contract/integration/imported-kinds.ts'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import { TableFrame } from '../../widgets/table-frame.tsx'

interface ColumnTableProps {
  inspection: FileInspection
  /** The field of each column; null leaves it out. */
  members: readonly (string | null)[]
  /** The fields that all rows get, whatever columns the file has. */
  given: readonly string[]
  disabled: boolean
  onMembers: (members: (string | null)[]) => void
}

/** The columns of a file with examples, each with the field that it is. The first one without a field has the focus. */
export function ColumnTable({ inspection, members, given, disabled, onMembers }: ColumnTableProps) {
  const { t } = useTranslation()
  const { columns, fields, needed, format, what } = inspection
  const findLabel = (name: string) => fields.find((field) => field.name === name)?.label ?? name
  const missing = needed.filter(
    (names) => !names.some((name) => members.includes(name) || given.includes(name)),
  )
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.querySelector<HTMLElement>('input[data-left-out]')?.focus(), [])
  return (
    <div ref={frame}>
      {missing.length > 0 && (
        <Alert color="yellow" variant="light" mb="sm" title={t('import.missing')}>
          <Text size="sm">{missing.map((names) => names.map(findLabel).join(' / ')).join(', ')}</Text>
          {kindsOfParties.includes(what) && missing.flat().includes('partyReferenceCode') && (
            <Text size="sm">{what === 'users' ? t('import.missingParty') : t('import.missingClient')}</Text>
          )}
        </Alert>
      )}
      <TableFrame title={t('import.columns')}>
        <thead>
          <tr>
            <th scope="col">{t('import.heading')}</th>
            <th scope="col">{t('import.examples')}</th>
            <th scope="col">{t('import.field')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ heading, examples, member, matchedBy }, index) => {
            const chosen = members[index] ?? null
            const name = heading.trim() || t('import.columnNumber', { number: index + 1 })
            return (
              // The columns of a file have nothing but their place.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <th scope="row">{name}</th>
                <td>{examples.join(' · ')}</td>
                <td className="import-field">
                  <Group gap="xs" wrap="nowrap">
                    <Select
                      aria-label={t('import.fieldFor', { heading: name })}
                      placeholder={t('import.leaveOut')}
                      data={fields.map((field) => ({
                        value: field.name,
                        label: field.required ? `${field.label} *` : field.label,
                        disabled: field.name !== chosen && members.includes(field.name),
                      }))}
                      value={chosen}
                      data-left-out={chosen === null || undefined}
                      searchable
                      clearable
                      clearButtonProps={{ 'aria-label': t('form.clear', { field: name }) }}
                      size="xs"
                      disabled={disabled || format === 'ndjson'}
                      onChange={(next) => onMembers(members.with(index, next))}
                    />
                    {matchedBy === 'values' && chosen === member && (
                      <Badge variant="light" color="yellow" size="sm">
                        {t('import.byValues')}
                      </Badge>
                    )}
                  </Group>
                </td>
              </tr>
            )
          })}
        </tbody>
      </TableFrame>
    </div>
  )
}
