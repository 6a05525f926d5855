import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AllCasesItem } from '../../../../../contract/cases/all-cases.ts'
import { BulkBar } from '../../../lists/bulk/bulk-bar.tsx'
import type { Matching } from '../../../lists/bulk/matching.ts'
import { addUp, listSums } from '../../../lists/sums/add-up.ts'
import type { TextKey } from '../../../texts/languages.ts'
import { caseKeys, useKey } from '../../../shell/keys/use-key.ts'
import { Icon, type IconName } from '../../../widgets/icons.tsx'
import { AssignBulk, CloseBulk, NextActionBulk, PlanBulk } from './case-bulk-more.tsx'
import {
  HoldDialog,
  LetterBulk,
  NoteDialog,
  ResumeDialog,
  StatusDialog,
  type DialogProps,
} from './case-bulk-dialogs.tsx'

type Action = 'hold' | 'resume' | 'status' | 'close' | 'note' | 'letter' | 'assign' | 'nextaction' | 'plan'
type Cases = readonly AllCasesItem[]

/** Those that a case has too have the same key (`press`). */
const actions: Record<Action, { key: TextKey; icon: IconName; press?: string }> = {
  hold: { key: 'case.hold', icon: 'pause', press: caseKeys.hold },
  resume: { key: 'case.resume', icon: 'play' },
  status: { key: 'case.status', icon: 'right', press: caseKeys.status },
  note: { key: 'notes.new', icon: 'edit', press: caseKeys.note },
  letter: { key: 'letters.new', icon: 'mail', press: caseKeys.letter },
  assign: { key: 'work.assign', icon: 'person', press: caseKeys.assign },
  nextaction: { key: 'work.setNext', icon: 'right', press: caseKeys.next },
  plan: { key: 'bulk.plan', icon: 'plus', press: caseKeys.plan },
  close: { key: 'case.close', icon: 'check', press: caseKeys.close },
}

const dialogs: Record<Action, (props: DialogProps) => ReactNode> = {
  hold: HoldDialog,
  resume: ResumeDialog,
  status: StatusDialog,
  note: NoteDialog,
  letter: LetterBulk,
  assign: AssignBulk,
  nextaction: NextActionBulk,
  plan: PlanBulk,
  close: CloseBulk,
}

interface CaseBulkProps {
  rows: Cases
  /** Set when all cases that the filter matches are selected. */
  matching: Matching | undefined
  onClear: () => void
}

/** The actions for the selected cases. */
export default function CaseBulk({ rows, matching, onClear }: CaseBulkProps) {
  const [open, setOpen] = useState<{ action: Action; rows: Cases; matching: Matching | undefined }>()
  const count = matching?.total ?? rows.length
  const amounts = matching
    ? listSums(matching.sums, 'remainingSum')
    : addUp(rows.map(({ remainingSum, currencyCode }) => ({ amount: remainingSum, currencyCode })))
  const Dialog = open && dialogs[open.action]
  return (
    <BulkBar
      count={count}
      amounts={amounts}
      onClear={onClear}
      dialog={
        Dialog && (
          <Dialog
            rows={open.rows}
            matching={open.matching}
            onClose={() => setOpen(undefined)}
            onClear={onClear}
          />
        )
      }
    >
      {(Object.keys(actions) as Action[]).map((action) => (
        <ActionButton
          key={action}
          action={actions[action]}
          onOpen={() => setOpen({ action, rows, matching })}
        />
      ))}
    </BulkBar>
  )
}

interface ActionButtonProps {
  action: { key: TextKey; icon: IconName; press?: string }
  onOpen: () => void
}

function ActionButton({ action: { key, icon, press }, onOpen }: ActionButtonProps) {
  const { t } = useTranslation()
  useKey(press ?? '', onOpen, press !== undefined)
  return (
    <Button size="xs" variant="default" leftSection={<Icon name={icon} size={14} />} onClick={onOpen}>
      {t(key)}
    </Button>
  )
}
