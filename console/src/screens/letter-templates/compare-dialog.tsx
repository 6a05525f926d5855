import { Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LetterTemplate } from '../../../../contract/collection/letter-templates.ts'
import { reading } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { compareLines, type LineChange } from './line-changes.ts'

interface CompareDialogProps {
  template: LetterTemplate
  number: number
  onClose: () => void
}

const draft = 'draft'

/** Compares two versions, or a version and the draft, line by line. It opens with version `number` on the left. */
export function CompareDialog({ template, number, onClose }: CompareDialogProps) {
  const { t } = useTranslation()
  const [from, setFrom] = useState(String(number))
  const [to, setTo] = useState(chooseOther(template, number))
  const [before, after] = [useSource(template, from), useSource(template, to)]
  const choices = [
    { value: draft, label: t('templates.draft') },
    ...template.versions.map((one) => ({
      value: String(one.number),
      label: t('templates.version', { number: formatNumber(one.number) }),
    })),
  ]
  const error = before.error ?? after.error
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('templates.comparison')}
      size="xl"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <Group grow>
          <Choice label={t('templates.from')} choices={choices} value={from} onChange={setFrom} />
          <Choice label={t('templates.to')} choices={choices} value={to} onChange={setTo} />
        </Group>
        <ProblemAlert error={error} />
        {(before.source === undefined || after.source === undefined) && !error && <LinesSkeleton />}
        {before.source !== undefined && after.source !== undefined && (
          <Changes changes={compareLines(before.source, after.source)} />
        )}
      </Stack>
    </Modal>
  )
}

/** What to compare with at first: the draft if there is one, else the version in force, else the version before. */
function chooseOther({ hasDraft, versionInForce }: LetterTemplate, number: number): string {
  if (hasDraft) return draft
  if (versionInForce !== null && versionInForce !== number) return String(versionInForce)
  return number > 1 ? String(number - 1) : draft
}

function useSource({ letterTemplateGuid, source }: LetterTemplate, choice: string) {
  const { data, error } = useQuery({
    ...reading('getLetterTemplateVersion', { letterTemplateGuid, number: Number(choice) }),
    enabled: choice !== draft,
  })
  return { source: choice === draft ? source : data?.body.source, error }
}

interface ChoiceProps {
  label: string
  choices: { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

const Choice = ({ label, choices, value, onChange }: ChoiceProps) => (
  <Select
    label={label}
    data={choices}
    value={value}
    allowDeselect={false}
    onChange={(next) => onChange(next!)}
  />
)

function Changes({ changes }: { changes: readonly LineChange[] }) {
  const { t } = useTranslation()
  if (changes.every(({ state }) => state === 'same')) return <Text size="sm">{t('templates.same')}</Text>
  const names = { same: '', removed: t('templates.removed'), added: t('templates.added') }
  return (
    <ol className="line-changes" aria-label={t('templates.comparison')}>
      {changes.map(({ state, text }, index) => (
        <li key={index} data-state={state}>
          {state !== 'same' && <span className="visually-hidden">{names[state]}: </span>}
          {text === '' ? '\u200B' : text}
        </li>
      ))}
    </ol>
  )
}
