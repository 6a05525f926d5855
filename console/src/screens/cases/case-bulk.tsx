import { Button, Group, Select, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AllCasesItem } from '../../../../contract/cases/all-cases.ts'
import { caseStatusCodes, holds, type CaseStatus } from '../../../../core/cases/case-lifecycle.ts'
import { BulkDialog } from '../../lists/bulk-dialog.tsx'
import type { BulkWork } from '../../lists/use-bulk-run.ts'
import { translateLabel } from '../../texts/labels.ts'
import type { TextKey } from '../../texts/languages.ts'
import { Icon, type IconName } from '../../widgets/icons.tsx'
import { holdCases, moveCases, noteCases, resumeCases } from './case-bulk-work.ts'
import { LetterFields, sendLetters } from './letter-bulk.tsx'
import { refreshCase } from './case-changes.ts'
import { allowedStatuses, allowedSubStatuses } from './case-steps.ts'
import { statusLabel, subStatusLabel } from './status-badge.tsx'

type Action = 'hold' | 'resume' | 'status' | 'note' | 'letter'
type Cases = readonly AllCasesItem[]

const actions: Record<Action, { key: TextKey; icon: IconName }> = {
  hold: { key: 'case.hold', icon: 'pause' },
  resume: { key: 'case.resume', icon: 'play' },
  status: { key: 'case.status', icon: 'right' },
  note: { key: 'notes.new', icon: 'edit' },
  letter: { key: 'letters.new', icon: 'mail' },
}

/** The actions for the selected cases. */
export default function CaseBulk({ rows, onClear }: { rows: Cases; onClear: () => void }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<{ action: Action; rows: Cases }>()
  const close = () => setOpen(undefined)
  return (
    <Group gap="xs" px="sm" pb="sm" role="group" aria-label={t('bulk.selected', { count: rows.length })}>
      <Text size="sm" fw={600} role="status">
        {t('bulk.selected', { count: rows.length })}
      </Text>
      {(Object.keys(actions) as Action[]).map((action) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          leftSection={<Icon name={actions[action].icon} size={14} />}
          onClick={() => setOpen({ action, rows })}
        >
          {t(actions[action].key)}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t('bulk.clear')}
      </Button>
      {open?.action === 'hold' && <HoldDialog rows={open.rows} onClose={close} />}
      {open?.action === 'resume' && (
        <CaseDialog action="resume" rows={open.rows} work={resumeCases} onClose={close} />
      )}
      {open?.action === 'status' && <StatusDialog rows={open.rows} onClose={close} />}
      {open?.action === 'note' && <NoteDialog rows={open.rows} onClose={close} />}
      {open?.action === 'letter' && <LetterBulk rows={open.rows} onClose={close} />}
    </Group>
  )
}

interface DialogProps {
  rows: Cases
  onClose: () => void
}
interface CaseDialogProps extends DialogProps {
  action: Action
  work: BulkWork<AllCasesItem> | undefined
  children?: React.ReactNode
}

function CaseDialog({ action, rows, work, onClose, children }: CaseDialogProps) {
  const { t } = useTranslation()
  return (
    <BulkDialog
      title={t(actions[action].key)}
      rows={rows}
      nameOf={({ caseNumber, mainDebtorName }) => `${caseNumber} · ${mainDebtorName}`}
      work={work}
      onChanged={() => void refreshCase()}
      onClose={onClose}
    >
      {children}
    </BulkDialog>
  )
}

function HoldDialog(props: DialogProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState<string | null>(null)
  return (
    <CaseDialog action="hold" work={reason === null ? undefined : holdCases(reason)} {...props}>
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
function StatusDialog(props: DialogProps) {
  const { t } = useTranslation()
  const possible = new Set(props.rows.flatMap((row) => (row.status === 'CLOSED' ? [] : allowedStatuses(row))))
  const [status, setStatus] = useState<CaseStatus | null>(null)
  const [subStatus, setSubStatus] = useState<string | null>(null)
  return (
    <CaseDialog
      action="status"
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

function NoteDialog(props: DialogProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  return (
    <CaseDialog action="note" work={text.trim() === '' ? undefined : noteCases(text.trim())} {...props}>
      <Textarea
        label={t('bulk.note')}
        required
        autosize
        minRows={3}
        maxLength={10_000}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </CaseDialog>
  )
}

function LetterBulk(props: DialogProps) {
  const [work, setWork] = useState<BulkWork<AllCasesItem>>()
  return (
    <CaseDialog action="letter" work={work} {...props}>
      <LetterFields rows={props.rows} onChange={(letter) => setWork(() => letter && sendLetters(letter))} />
    </CaseDialog>
  )
}
