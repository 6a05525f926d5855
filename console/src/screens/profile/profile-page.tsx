import { SimpleGrid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../session/session.ts'
import { Page, Panel } from '../../widgets/page.tsx'
import { AssistantsPanel } from './assistants-panel.tsx'
import { EmailPanel } from './email-panel.tsx'
import { FactorPanel } from './factor-panel.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { PasswordForm } from './password-form.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

export default function ProfilePage() {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <Page title={t('shell.profile')} about={[user.fullName, user.email].filter(Boolean).join(' · ')}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          <Panel title={t('profile.preferences')}>
            <PreferencesForm />
          </Panel>
          <Panel title={t('profile.password')}>
            <PasswordForm />
          </Panel>
          <EmailPanel />
        </Stack>
        <Stack gap="md">
          <FactorPanel />
          <PasskeysPanel />
          <SessionsPanel />
          <AssistantsPanel />
        </Stack>
      </SimpleGrid>
    </Page>
  )
}
