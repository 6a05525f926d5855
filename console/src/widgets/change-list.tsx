import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../contract/audit.ts'
import { formatDateTime } from '../format/format.ts'
import { labelOf } from '../texts/labels.ts'

export const sayAction = ({ entity, action }: Pick<AuditEntry, 'entity' | 'action'>): string =>
  `${labelOf(`entity.${entity}`, entity)} ${labelOf(`audit.${action}`, action)}`

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)

function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (isDate(value)) return formatDateTime(String(value))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Each changed member with what it was and what it is. */
export function ChangeList({ changes }: Pick<AuditEntry, 'changes'>) {
  const { t } = useTranslation()
  const members = Object.entries(changes).filter(
    ([, [before, after]]) => before !== after && !(before === null && after === ''),
  )
  if (members.length === 0) return null
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {members.map(([member, [before, after]]) => (
        <Text key={member} component="li" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {labelOf(`field.${member}`, member)}:{' '}
          {before !== null && before !== undefined && (
            <>
              <del>
                <span className="visually-hidden">{t('timeline.was')} </span>
                {show(before)}
              </del>{' '}
              <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins style={{ textDecoration: 'none', color: 'var(--mantine-color-text)' }}>{show(after)}</ins>
        </Text>
      ))}
    </ul>
  )
}
