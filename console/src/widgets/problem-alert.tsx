import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ApiProblem } from '../../../client/client.ts'
import { lastMember } from '../../../core/text/member-path.ts'
import { isUnavailable } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { errorMessage } from '../forms/fault-message.ts'
import { refusalText } from '../texts/refusal-text.ts'
import { formatNumber } from '../format/format.ts'
import { session } from '../session/session.ts'
import { translateLabel } from '../texts/labels.ts'
import { i18n } from '../texts/languages.ts'

/** An error in one line: its kind in the user's language, and the service's message. */
export function problemTitle(error: unknown): string {
  if (isProblem(error) && 'unreadableFile' in error.problem) return unreadableTitle(error.problem)
  if (isProblem(error)) return translateLabel(`problem.${error.kind}`, error.problem.title)
  return i18n.t(isUnavailable(error) ? 'problem.away' : 'problem.unexpected')
}

const unreadableTitle = (problem: object): string =>
  'line' in problem && typeof problem.line === 'number'
    ? i18n.t('problem.unreadableLine', { line: formatNumber(problem.line) })
    : i18n.t('problem.unreadable')

export function problemDetail(error: unknown): string {
  if (!isProblem(error)) return isUnavailable(error) ? i18n.t('problem.awayDetail') : String(error)
  // What the service says of that is for programs.
  if (error.kind === 'unauthenticated' && session.get().user) return i18n.t('signIn.ended')
  return refusalText(error.detail) ?? memberFaults(error) ?? error.detail
}

/** In place of a detail that repeats the fault of a member: the faults of all members, by their labels. */
function memberFaults({ detail, errors }: ApiProblem): string | undefined {
  const faults = Object.entries(errors)
  const isRepeated = faults.some(([member, [first]]) => detail.startsWith(`${member} ${first}`))
  if (!isRepeated) return undefined
  return faults.map(([member, messages]) => `${labelMember(member)}: ${errorMessage(messages)}`).join(' ')
}

function labelMember(path: string): string {
  const name = lastMember(path)
  return translateLabel(`field.${name}`, name)
}

/** An error that belongs to no field, shown prominently with the request id. */
export function ProblemAlert({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (error === null || error === undefined) return null
  return (
    <Alert color="red" variant="light" title={problemTitle(error)} role="alert">
      <Text size="sm">{problemDetail(error)}</Text>
      {isProblem(error) && error.requestId !== '' && (
        <Text size="xs" mt={4} className="code">
          {t('problem.request', { id: error.requestId })}
        </Text>
      )}
    </Alert>
  )
}
