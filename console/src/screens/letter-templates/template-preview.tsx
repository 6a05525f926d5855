import { Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplatePreview as Preview } from '../../../../contract/collection/letter-templates.ts'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { LetterPages } from '../letters/letter-image.tsx'

interface TemplatePreviewProps {
  preview: Preview | undefined
  error: unknown
  isFetching: boolean
  language: string
  /** Null for an invented case. */
  caseGuid: string | null
  /** Left out where only an invented case is possible. */
  onCase?: (caseGuid: string | null) => void
}

/**
 * Shows the letter about the chosen case, or about an invented one. The image of a preview is null while the text has
 * faults: then the last preview with an image stays, under a line that says so. A text that had faults from the start has
 * no such preview.
 */
export function TemplatePreview({
  preview,
  error,
  isFetching,
  language,
  caseGuid,
  onCase,
}: TemplatePreviewProps) {
  const { t } = useTranslation()
  const lastPrinted = useRef<Preview>(undefined)
  if (preview && preview.image !== null) lastPrinted.current = preview
  const hasFaults = preview !== undefined && preview.image === null
  const faultText = lastPrinted.current ? t('templates.lastPreview') : t('templates.noPreview')
  return (
    <div aria-busy={isFetching}>
      <Stack gap="xs" px="md" py="xs">
        {onCase && (
          <LookupSelect
            code="case"
            label={t('templates.case')}
            placeholder={t('templates.sample')}
            value={caseGuid}
            onChange={onCase}
          />
        )}
        {(hasFaults || !onCase) && (
          <Text size="sm" c="dimmed">
            {hasFaults ? faultText : t('templates.sample')}
          </Text>
        )}
        {caseGuid !== null && <ProblemAlert error={error} />}
      </Stack>
      {(lastPrinted.current !== undefined || !hasFaults) && (
        <LetterPages
          letter={lastPrinted.current && { ...lastPrinted.current, languageCode: language, channel: null }}
          error={lastPrinted.current ? undefined : error}
        />
      )}
    </div>
  )
}
