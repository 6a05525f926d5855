import { Paper, Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LetterImage } from '../../../../contract/collection/letters.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

interface LetterPagesProps {
  letter: LetterImage | undefined
  error: unknown
}

/** The pages of a letter as they are printed, or the text of an SMS. */
export function LetterPages({ letter, error }: LetterPagesProps) {
  const { t } = useTranslation()
  if (error) return <ProblemAlert error={error} />
  if (!letter) return <Skeleton className="letter-page" data-skeleton aria-hidden="true" />
  if (letter.image === null)
    return (
      <Paper
        withBorder
        p="md"
        radius="lg"
        role="group"
        aria-label={t('letters.previewOf', { name: letter.title })}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>{letter.text}</Text>
      </Paper>
    )
  return (
    <img
      className="letter-page"
      lang={letter.languageCode}
      alt={`${letter.title}\n${letter.text}`}
      src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(letter.image)}`}
    />
  )
}
