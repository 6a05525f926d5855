import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../contract/insight/audit.ts'
import { translateLabel } from '../texts/labels.ts'
import { isAmount, memberLabel, formatMember } from './format-member.ts'

export const actionLabel = ({ entity, action }: Pick<AuditEntry, 'entity' | 'action'>): string =>
  `${translateLabel(`entity.${entity}`, entity)} ${translateLabel(`audit.${action}`, action)}`

type Member = [name: string, change: AuditEntry['changes'][string]]

/** A new record has many members; the first ones are usually enough. */
const shownMost = 3

/** Zero amounts and false flags of a new record are omitted. */
const isSilent = ([name, [before, after]]: Member): boolean =>
  before === after ||
  ((before ?? null) === null && (after === '' || after === false || (after === 0 && isAmount(name))))

const isGuid = (value: unknown) => typeof value === 'string' && /^[\da-f]{8}-[\da-f-]{27}$/.test(value)

interface ChangeListProps extends Pick<AuditEntry, 'changes' | 'currencyCode'> {
  /** Also shows members that are only GUIDs. */
  withGuids?: boolean
}

/** Each changed member with its value before and after; amounts first. */
export function ChangeList({ changes, currencyCode, withGuids = false }: ChangeListProps) {
  const hasAmounts = Object.keys(changes).some(isAmount)
  const members = Object.entries(changes)
    .filter((member) => !isSilent(member))
    // Each amount is shown with its currency, so the currency is omitted.
    .filter(([name, [, after]]) => !(hasAmounts && name === 'currencyCode' && after === currencyCode))
    .filter(([, values]) => withGuids || !values.some(isGuid))
    .toSorted(([one], [other]) => Number(isAmount(other)) - Number(isAmount(one)))
  if (members.length === 0) return null
  const more = members.slice(shownMost)
  const first = more.length > 1 ? members.slice(0, shownMost) : members
  return (
    <>
      <Members members={first} currency={currencyCode} />
      {more.length > 1 && <MoreMembers members={more} currency={currencyCode} />}
    </>
  )
}

interface MembersProps {
  members: Member[]
  currency: string | null
}

function MoreMembers({ members, currency }: MembersProps) {
  const { t } = useTranslation()
  return (
    <details>
      <Text size="xs" component="summary" c="var(--mantine-color-anchor)" style={{ cursor: 'pointer' }}>
        {t('timeline.others', { count: members.length })}
      </Text>
      <Members members={members} currency={currency} />
    </details>
  )
}

function Members({ members, currency }: MembersProps) {
  const { t } = useTranslation()
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {members.map(([member, [before, after]]) => (
        <Text key={member} component="li" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {memberLabel(member)}:{' '}
          {before !== null && before !== undefined && (
            <>
              <del>
                <span className="visually-hidden">{t('timeline.was')} </span>
                {formatMember(member, before, currency)}
              </del>{' '}
              <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins style={{ textDecoration: 'none', color: 'var(--mantine-color-text)' }}>
            {formatMember(member, after, currency)}
          </ins>
        </Text>
      ))}
    </ul>
  )
}
