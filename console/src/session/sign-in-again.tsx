import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SignIn } from './sign-in.tsx'

/** Asks a user whose session has ended to sign in again, over the screens and their input. */
export default function SignInAgain({ login }: { login: string }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('signIn.ended')}
      size="md"
    >
      <SignIn again={login} />
    </Modal>
  )
}
