import { NativeSelect, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, keepLanguage, languages } from '../texts/languages.ts'

/** The frame of all screens before sign-in. */
export function Card({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <Stack w="min(25rem, 100%)" gap="lg">
      <Text fw={700} fz="lg" c="fjord" component="div" style={{ letterSpacing: '-0.01em' }}>
        Fordra
      </Text>
      <Stack className="panel" p="xl" gap="md">
        <div>
          <Title order={1}>{title}</Title>
          {about !== undefined && (
            <Text size="sm" c="dimmed" mt={4}>
              {about}
            </Text>
          )}
        </div>
        {children}
      </Stack>
      <LanguageChoice />
    </Stack>
  )
}

function LanguageChoice() {
  const { t, i18n } = useTranslation()
  return (
    <NativeSelect
      size="xs"
      w={130}
      aria-label={t('profile.language')}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      value={i18n.language}
      onChange={(event) => {
        void changeLanguage(event.currentTarget.value).then(keepLanguage)
      }}
    />
  )
}
