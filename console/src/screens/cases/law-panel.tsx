import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'
import { formatDateTime, textCulture } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { RuleName } from '../../widgets/rule-name.tsx'

/** What the law of the case's governing country does not allow today, with the reason and the date. */
export function LawPanel({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(
    reading('getCasePermissions', { debtorGuid, caseGuid, culture: textCulture() }),
  )
  const law = data?.body
  const refused = law?.actions.filter(({ allowed }) => !allowed) ?? []
  const barred = law?.contacts.filter(({ allowed }) => !allowed) ?? []
  const guardian = law?.contacts.find(({ recipient }) => recipient === 'guardian')?.recipientGuid
  return (
    <Panel title={t('law.title')}>
      <ProblemAlert error={error} />
      {!law && !error && <LinesSkeleton lines={2} />}
      {law && (
        <Text size="sm" c="dimmed">
          {law.asOf === null
            ? t('law.noPack', { country: law.governingCountry ?? '–' })
            : t('law.country', { country: law.governingCountry })}
        </Text>
      )}
      <ul className="explanation">
        {law?.answers.map(({ objectionGuid, matter, answerBy, isOverdue, rule, source }) => (
          <li key={objectionGuid} className="lined">
            <div>
              <Text size="sm">{translateLabel(`lookup.objectionmatter.${matter}`, matter)}</Text>
              <Text size="xs" c={isOverdue ? 'red' : 'dimmed'}>
                {t(isOverdue ? 'objections.overdueSince' : 'objections.by', {
                  date: formatDateTime(answerBy),
                })}
                {rule !== null && (
                  <>
                    {' '}
                    (<RuleName rule={rule} source={source} />)
                  </>
                )}
              </Text>
            </div>
          </li>
        ))}
        {refused.map(({ action, reason }) => (
          <li key={action} className="lined">
            <div>
              <Text size="sm">{lookupText(action)}</Text>
              <Text size="xs" c="dimmed">
                {reason}
              </Text>
            </div>
          </li>
        ))}
        {barred.map(({ channel, reason }) => (
          <li key={channel} className="lined">
            <div>
              <Text size="sm">{contactText(channel)}</Text>
              <Text size="xs" c="dimmed">
                {reason}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      {guardian && (
        <Text size="sm">
          <Link to="/debtors/$debtorGuid" params={{ debtorGuid: guardian }}>
            {t('law.toGuardian')}
          </Link>
        </Text>
      )}
    </Panel>
  )
}

/** The lookup's words for a fee or a letter. */
function lookupText(action: string): string {
  const [kind, code = ''] = action.split(':')
  if (kind === 'status') return translateLabel(`lookup.casestatus.${code}`, code)
  return kind === 'fee'
    ? translateLabel(`lookup.feetype.${code}`, code)
    : translateLabel(`lookup.letterkind.${code}`, code)
}

const codes = { telephone: 'PHONE', sms: 'SMS', email: 'EMAIL', letter: 'LETTER' } as const
const contactText = (channel: keyof typeof codes) =>
  translateLabel(`lookup.preferredchannel.${codes[channel]}`, channel)
