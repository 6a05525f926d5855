import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from './card.tsx'
import { EnrolFactor } from './enrol-factor.tsx'
import { findSession, signOut } from './session.ts'

/** For a session whose user must enrol a second factor first. */
export default function Enrolment() {
  const { t } = useTranslation()
  return (
    <Card title={t('mfa.enrol')} about={t('mfa.needed')}>
      <EnrolFactor onDone={() => void findSession()} />
      <Text size="sm">
        <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
          {t('shell.signOut')}
        </Anchor>
      </Text>
    </Card>
  )
}
