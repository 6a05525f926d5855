import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AllCasesItem } from '../../../../../contract/cases/all-cases.ts'
import { BulkBar } from '../../../lists/bulk/bulk-bar.tsx'
import type { Matching } from '../../../lists/bulk/matching.ts'
import { addUp, sumsOf } from '../../../lists/sums/add-up.ts'
import type { TextKey } from '../../../texts/languages.ts'
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

const actions: Record<Action, { key: TextKey; icon: IconName }> = {
  hold: { key: 'case.hold', icon: 'pause' },
  resume: { key: 'case.resume', icon: 'play' },
  status: { key: 'case.status', icon: 'right' },
  note: { key: 'notes.new', icon: 'edit' },
  letter: { key: 'letters.new', icon: 'mail' },
  assign: { key: 'work.assign', icon: 'person' },
  nextaction: { key: 'work.setNext', icon: 'right' },
  plan: { key: 'bulk.plan', icon: 'plus' },
  close: { key: 'case.close', icon: 'check' },
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
  const { t } = useTranslation()
  const [open, setOpen] = useState<{ action: Action; rows: Cases; matching: Matching | undefined }>()
  const count = matching?.total ?? rows.length
  const amounts = matching
    ? sumsOf(matching.sums, 'remainingSum')
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
        <Button
          key={action}
          size="xs"
          variant="default"
          leftSection={<Icon name={actions[action].icon} size={14} />}
          onClick={() => setOpen({ action, rows, matching })}
        >
          {t(actions[action].key)}
        </Button>
      ))}
    </BulkBar>
  )
}
