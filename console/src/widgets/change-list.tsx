import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../contract/audit.ts'
import { formatDateTime } from '../format/format.ts'
import { i18n } from '../texts/languages.ts'
import { labelOf } from '../texts/labels.ts'

export const sayAction = ({ entity, action }: Pick<AuditEntry, 'entity' | 'action'>): string =>
  `${labelOf(`entity.${entity}`, entity)} ${labelOf(`audit.${action}`, action)}`

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)

function show(member: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return i18n.t(value ? 'value.yes' : 'value.no')
  if (isDate(value)) return formatDateTime(String(value))
  return typeof value === 'object'
    ? JSON.stringify(value)
    : labelOf(`code.${member}.${String(value)}`, String(value))
}

type Member = [name: string, change: AuditEntry['changes'][string]]

/** A new record has many; most of the time the first ones say enough. */
const shownMost = 3

/** Each changed member with what it was and what it is. */
export function ChangeList({ changes }: Pick<AuditEntry, 'changes'>) {
  const members = Object.entries(changes).filter(
    ([, [before, after]]) => before !== after && !(before === null && after === ''),
  )
  if (members.length === 0) return null
  const more = members.slice(shownMost)
  return (
    <>
      <Members members={more.length > 1 ? members.slice(0, shownMost) : members} />
      {more.length > 1 && <MoreMembers members={more} />}
    </>
  )
}

function MoreMembers({ members }: { members: Member[] }) {
  const { t } = useTranslation()
  return (
    <details>
      <Text size="xs" component="summary" c="var(--mantine-color-anchor)" style={{ cursor: 'pointer' }}>
        {t('timeline.others', { count: members.length })}
      </Text>
      <Members members={members} />
    </details>
  )
}

function Members({ members }: { members: Member[] }) {
  const { t } = useTranslation()
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {members.map(([member, [before, after]]) => (
        <Text key={member} component="li" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {labelOf(`field.${member}`, member)}:{' '}
          {before !== null && before !== undefined && (
            <>
              <del>
                <span className="visually-hidden">{t('timeline.was')} </span>
                {show(member, before)}
              </del>{' '}
              <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins style={{ textDecoration: 'none', color: 'var(--mantine-color-text)' }}>
            {show(member, after)}
          </ins>
        </Text>
      ))}
    </ul>
  )
}
