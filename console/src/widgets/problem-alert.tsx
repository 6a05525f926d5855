import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isAway } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { labelOf } from '../texts/labels.ts'
import { i18n } from '../texts/languages.ts'

/** An error in one line: its kind in the user's language, and the service's message. */
export function titleOf(error: unknown): string {
  if (isProblem(error)) return labelOf(`problem.${error.kind}`, error.problem.title)
  return i18n.t(isAway(error) ? 'problem.away' : 'problem.unexpected')
}

export const detailOf = (error: unknown): string =>
  isProblem(error) ? error.detail : isAway(error) ? i18n.t('problem.awayDetail') : String(error)

/** An error that belongs to no field, shown prominently with the request id. */
export function ProblemAlert({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (error === null || error === undefined) return null
  return (
    <Alert color="red" variant="light" title={titleOf(error)} role="alert">
      <Text size="sm">{detailOf(error)}</Text>
      {isProblem(error) && error.requestId !== '' && (
        <Text size="xs" mt={4} className="code">
          {t('problem.request', { id: error.requestId })}
        </Text>
      )}
    </Alert>
  )
}
