import { Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  caseStatusCodes,
  holds,
  isOpenStatus,
  type CaseStatus,
} from '../../../../../core/cases/case-lifecycle.ts'
import { DraftOffer } from '../../../forms/draft-offer.tsx'
import { useKeptInput } from '../../../forms/use-kept-input.ts'
import { translateLabel } from '../../../texts/labels.ts'
import { CaseDialog, type DialogProps } from './case-bulk-dialog.tsx'
import { holdCases, moveCases, noteCases, resumeCases } from './case-bulk-work.ts'
import { allowedStatuses, allowedSubStatuses } from '../case-steps.ts'
import { LetterFields, sendLetters } from './letter-bulk.tsx'
import { useForeseenLetters, type Letter } from './use-foreseen-letters.ts'
import { statusLabel, subStatusLabel } from '../status-badge.tsx'

export type { DialogProps } from './case-bulk-dialog.tsx'

export const ResumeDialog = ({ onClear: _onClear, ...props }: DialogProps) => (
  <CaseDialog action="resume" title="case.resume" input={{}} work={resumeCases} {...props} />
)

export function HoldDialog({ onClear: _onClear, ...props }: DialogProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState<string | null>(null)
  return (
    <CaseDialog
      action="hold"
      title="case.hold"
      input={reason === null ? undefined : { reason }}
      work={reason === null ? undefined : holdCases(reason)}
      {...props}
    >
      <Select
        label={t('bulk.reason')}
        required
        data={holds.map((value) => ({ value, label: translateLabel(`lookup.holdreason.${value}`, value) }))}
        value={reason}
        data-autofocus
        onChange={setReason}
      />
    </CaseDialog>
  )
}

/** Offers the statuses that at least one of the cases allows; the others report that they do not. */
export function StatusDialog({ onClear: _onClear, ...props }: DialogProps) {
  const { t } = useTranslation()
  const possible = new Set(
    props.matching
      ? caseStatusCodes.filter(isOpenStatus)
      : props.rows.flatMap((row) => (row.status === 'CLOSED' ? [] : allowedStatuses(row))),
  )
  const [status, setStatus] = useState<CaseStatus | null>(null)
  const [subStatus, setSubStatus] = useState<string | null>(null)
  return (
    <CaseDialog
      action="status"
      title="case.status"
      input={status === null || subStatus === null ? undefined : { status, subStatus }}
      work={status === null || subStatus === null ? undefined : moveCases(status, subStatus)}
      {...props}
    >
      <Select
        label={t('field.status')}
        required
        data={caseStatusCodes
          .filter((code) => possible.has(code))
          .map((value) => ({ value, label: statusLabel(value) }))}
        value={status}
        data-autofocus
        onChange={(next) => {
          setStatus(next)
          setSubStatus(next === null ? null : allowedSubStatuses(next)[0]!)
        }}
      />
      {status !== null && (
        <Select
          label={t('field.subStatus')}
          required
          data={allowedSubStatuses(status).map((value) => ({ value, label: subStatusLabel(value) }))}
          value={subStatus}
          allowDeselect={false}
          onChange={setSubStatus}
        />
      )}
    </CaseDialog>
  )
}

export function NoteDialog({ onClear: _onClear, ...props }: DialogProps) {
  const { t } = useTranslation()
  const { values, change, draft, drop } = useKeptInput('note/many', { text: '' })
  const { text } = values
  return (
    <CaseDialog
      action="note"
      title="notes.new"
      input={text.trim() === '' ? undefined : { text: text.trim() }}
      work={text.trim() === '' ? undefined : noteCases(text.trim())}
      onBegun={drop}
      {...props}
    >
      <DraftOffer draft={draft} />
      <Textarea
        label={t('bulk.note')}
        required
        autosize
        minRows={3}
        maxLength={10_000}
        value={text}
        data-autofocus
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    </CaseDialog>
  )
}

export function LetterBulk(props: DialogProps) {
  const { rows, matching, onClose, onClear } = props
  const [letter, setLetter] = useState<Letter>()
  const [sent, setSent] = useState(false)
  const foreseen = useForeseenLetters(letter, matching ? { filter: matching.filter } : { rows })
  return (
    <CaseDialog
      action="letter"
      title="letters.new"
      size="58rem"
      rows={rows}
      matching={matching}
      input={letter && { ...letter }}
      work={letter && foreseen.data ? sendLetters(letter, foreseen.data.together) : undefined}
      onBegun={() => setSent(true)}
      // The dialog stands in the bar of the selection, which goes with it.
      onClose={sent ? onClear : onClose}
    >
      <LetterFields rows={rows} foreseen={foreseen} onChange={setLetter} />
    </CaseDialog>
  )
}
