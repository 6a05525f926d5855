import { Button, Group, Text } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isUnavailable } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { Page } from '../widgets/page.tsx'
import { ProblemAlert } from '../widgets/problem-alert.tsx'

/** What browsers say when a file of an older console is gone. */
const goneFile = /dynamically imported module|importing a module script/i

/** Shown when a screen throws, or cannot be loaded because a newer console has been deployed. */
export function ScreenFailed({ error }: ErrorComponentProps) {
  const { t } = useTranslation()
  const isNewer = goneFile.test(String(error))
  return (
    <Page title={t(isNewer ? 'problem.newer' : 'problem.unexpected')}>
      {isProblem(error) || isUnavailable(error) ? (
        <ProblemAlert error={error} />
      ) : (
        <>
          <Text size="sm">{t(isNewer ? 'problem.newerDetail' : 'problem.unexpectedDetail')}</Text>
          {!isNewer && (
            <Text size="xs" c="dimmed" className="code">
              {String(error)}
            </Text>
          )}
        </>
      )}
      <Group>
        <Button variant="default" onClick={() => window.location.reload()}>
          {t('action.reload')}
        </Button>
      </Group>
    </Page>
  )
}
