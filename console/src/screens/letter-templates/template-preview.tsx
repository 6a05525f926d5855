import { Text } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplatePreview as Preview } from '../../../../contract/collection/letter-templates.ts'
import { LetterPages } from '../letters/letter-image.tsx'

interface TemplatePreviewProps {
  preview: Preview | undefined
  error: unknown
  isFetching: boolean
  language: string
}

/** The letter about an invented case. The last one that could be printed stays while the text has faults. */
export function TemplatePreview({ preview, error, isFetching, language }: TemplatePreviewProps) {
  const { t } = useTranslation()
  const last = useRef<Preview>(undefined)
  if (preview && preview.image !== null) last.current = preview
  const isBehind = preview !== undefined && preview.image === null
  return (
    <div aria-busy={isFetching}>
      <Text size="sm" c="dimmed" px="md" py="xs">
        {isBehind ? t('templates.lastPreview') : t('templates.sample')}
      </Text>
      {(last.current !== undefined || !isBehind) && (
        <LetterPages
          letter={last.current && { ...last.current, languageCode: language, channel: null }}
          error={last.current ? undefined : error}
        />
      )}
    </div>
  )
}
