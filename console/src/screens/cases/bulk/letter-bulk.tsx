import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AllCasesItem } from '../../../../../contract/cases/all-cases.ts'
import { letterKinds, type LetterKind } from '../../../../../contract/collection/documents.ts'
import { isDate } from '../../../../../core/calendar/calendar.ts'
import { api } from '../../../api/client.ts'
import { useBusinessDate } from '../../../api/business-date.ts'
import { reading } from '../../../api/queries.ts'
import type { BulkWork } from '../../../lists/bulk/use-bulk-run.ts'
import { translateLabel } from '../../../texts/labels.ts'
import { DayField } from '../../../widgets/days/day-field.tsx'
import { LetterPages } from '../../letters/letter-image.tsx'
import { ForeseenLetters } from './foreseen-letters.tsx'
import type { Foreseen, Letter } from './use-foreseen-letters.ts'

/** The minutes in which letters to many can be withdrawn. */
const delayMinutes = 10
const previews = 3
const dayMs = 86_400_000

export const sendLetters =
  (letter: Letter, together: readonly string[]): BulkWork<AllCasesItem> =>
  async ({ caseGuid, mainDebtorGuid }) => {
    // The letter of another case demands it too.
    if (together.includes(caseGuid)) return undefined
    const body = { ...letter, caseGuid, delayMinutes }
    const { documentGuid } = await api.sendLetter({ debtorGuid: mainDebtorGuid, body })
    return () => api.withdrawLetter({ documentGuid })
  }

interface LetterFieldsProps {
  rows: readonly AllCasesItem[]
  foreseen: Foreseen
  onChange: (letter: Letter | undefined) => void
}

/** The letter to many, with a preview for up to three of them. */
export function LetterFields({ rows, foreseen, onChange }: LetterFieldsProps) {
  const { t } = useTranslation()
  const today = useBusinessDate()
  const [kind, setKind] = useState<LetterKind | null>(null)
  const [dueDate, setDueDate] = useState('')
  const change = (nextKind: LetterKind | null, nextDate: string) => {
    setKind(nextKind)
    setDueDate(nextDate)
    onChange(toLetter(nextKind, nextDate))
  }
  const letter = toLetter(kind, dueDate)
  const inTwoWeeks = today && new Date(Date.parse(today) + 14 * dayMs).toISOString().slice(0, 10)
  return (
    <div className="letter-bulk">
      <Stack gap="sm">
        <Select
          label={t('letters.kind')}
          required
          data={letterKinds.map((value) => ({
            value,
            label: translateLabel(`lookup.letterkind.${value}`, value),
          }))}
          value={kind}
          data-autofocus
          onChange={(value) =>
            change(value, value !== null && hasDueDate(value) ? dueDate || (inTwoWeeks ?? '') : '')
          }
        />
        {kind !== null && hasDueDate(kind) && (
          <DayField
            label={t('letters.dueDate')}
            required
            value={dueDate}
            onChange={(day) => change(kind, day)}
          />
        )}
        <Text size="sm">{t('letters.bulkWait')}</Text>
        {letter && <ForeseenLetters {...foreseen} />}
      </Stack>
      {letter && <Previews rows={rows.slice(0, previews)} letter={letter} />}
    </div>
  )
}

const hasDueDate = (kind: LetterKind) => kind !== 'statement' && kind !== 'surveillance'

function toLetter(kind: LetterKind | null, dueDate: string): Letter | undefined {
  if (kind === null) return undefined
  if (!hasDueDate(kind)) return { kind, dueDate: null }
  return isDate(dueDate) ? { kind, dueDate: `${dueDate}T00:00:00Z` } : undefined
}

function Previews({ rows, letter }: { rows: readonly AllCasesItem[]; letter: Letter }) {
  const { t } = useTranslation()
  const [index, setIndex] = useState(0)
  const row = rows[index]!
  const body = { ...letter, caseGuid: row.caseGuid }
  const { data, error } = useQuery({
    ...reading('previewLetter', { debtorGuid: row.mainDebtorGuid, body }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label={t('letters.preview')}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={500} role="status">
          {t('letters.previewNumber', { number: index + 1, count: rows.length })} · {row.caseNumber} ·{' '}
          {row.mainDebtorName}
        </Text>
        {rows.length > 1 && (
          <Button size="xs" variant="default" onClick={() => setIndex((index + 1) % rows.length)}>
            {t('letters.next')}
          </Button>
        )}
      </Group>
      <div className="letter-peek" tabIndex={0} role="group" aria-label={t('letters.previewPage')}>
        <LetterPages letter={error ? undefined : data?.body} error={error} />
      </div>
    </section>
  )
}
