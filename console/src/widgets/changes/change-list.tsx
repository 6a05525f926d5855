import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../../contract/insight/audit.ts'
import { translateLabel } from '../../texts/labels.ts'
import { compareMember, type ChangeLine } from './change-lines.ts'
import { isAmount, formatMember, formatPath } from './format-member.ts'

export const actionLabel = ({ entity, action }: Pick<AuditEntry, 'entity' | 'action'>): string =>
  `${translateLabel(`entity.${entity}`, entity)} ${translateLabel(`audit.${action}`, action)}`

type Member = [name: string, change: AuditEntry['changes'][string]]

/** The terms of interest are a tree that is read as a whole. */
const describeMember = ([name, [before, after]]: Member): ChangeLine[] =>
  name === 'interestTerms'
    ? [{ path: [{ member: name }], member: name, before, after }]
    : compareMember(name, before, after)

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
  const lines = members.flatMap(describeMember)
  if (lines.length === 0) return null
  const more = lines.slice(shownMost)
  const first = more.length > 1 ? lines.slice(0, shownMost) : lines
  return (
    <>
      <Lines lines={first} currency={currencyCode} />
      {more.length > 1 && <MoreLines lines={more} currency={currencyCode} />}
    </>
  )
}

interface LinesProps {
  lines: ChangeLine[]
  currency: string | null
}

function MoreLines({ lines, currency }: LinesProps) {
  const { t } = useTranslation()
  return (
    <details>
      <Text size="xs" component="summary" c="var(--mantine-color-anchor)" style={{ cursor: 'pointer' }}>
        {t('timeline.others', { count: lines.length })}
      </Text>
      <Lines lines={lines} currency={currency} />
    </details>
  )
}

const isGiven = (value: unknown) => value !== null && value !== undefined

/** Each with its value before and after. What was removed has none after. */
export function Lines({ lines, currency }: LinesProps) {
  const { t } = useTranslation()
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {lines.map((line, index) => (
        <Text key={index} component="li" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {formatPath(line)}:{' '}
          {isGiven(line.before) && (
            <del>
              <span className="visually-hidden">{t('timeline.was')} </span>
              {formatMember(line.member, line.before, currency)}
            </del>
          )}
          {isGiven(line.before) && line.after !== undefined && <span aria-hidden="true"> → </span>}
          {line.after !== undefined && (
            <ins style={{ textDecoration: 'none', color: 'var(--mantine-color-text)' }}>
              {formatMember(line.member, line.after, currency)}
            </ins>
          )}
        </Text>
      ))}
    </ul>
  )
}
