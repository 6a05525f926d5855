import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface CurrentPasswordProps {
  value: string
  /** What is wrong with it. */
  error: string | undefined
  onChange: (value: string) => void
}

/** The user's own password, as proof of who changes something. */
export function CurrentPassword({ value, error, onChange }: CurrentPasswordProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      label={t('profile.currentPassword')}
      autoComplete="current-password"
      value={value}
      error={error}
      aria-invalid={error !== undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
    />
  )
}
