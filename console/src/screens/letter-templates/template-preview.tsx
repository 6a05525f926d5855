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

/**
 * Shows the letter about an invented case. The image of a preview is null while the text has faults: then the last preview
 * with an image stays, under a line that says so.
 */
export function TemplatePreview({ preview, error, isFetching, language }: TemplatePreviewProps) {
  const { t } = useTranslation()
  const lastPrinted = useRef<Preview>(undefined)
  if (preview && preview.image !== null) lastPrinted.current = preview
  const hasFaults = preview !== undefined && preview.image === null
  return (
    <div aria-busy={isFetching}>
      <Text size="sm" c="dimmed" px="md" py="xs">
        {hasFaults ? t('templates.lastPreview') : t('templates.sample')}
      </Text>
      {(lastPrinted.current !== undefined || !hasFaults) && (
        <LetterPages
          letter={lastPrinted.current && { ...lastPrinted.current, languageCode: language, channel: null }}
          error={lastPrinted.current ? undefined : error}
        />
      )}
    </div>
  )
}
