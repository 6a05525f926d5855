/** An action on the selected cases: by the browser, or by the server for all that the filter matches. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AllCasesItem } from '../../../../../contract/cases/all-cases.ts'
import type { BulkActionName } from '../../../../../contract/work/bulk-actions.ts'
import { BulkDialog } from '../../../lists/bulk/bulk-dialog.tsx'
import { BulkJobDialog } from '../../../lists/bulk/bulk-job-dialog.tsx'
import type { Matching } from '../../../lists/bulk/matching.ts'
import type { BulkWork } from '../../../lists/bulk/use-bulk-run.ts'
import type { TextKey } from '../../../texts/languages.ts'
import { refreshCase } from '../case-changes.ts'

export interface DialogProps {
  rows: readonly AllCasesItem[]
  /** Set when all cases that the filter matches are selected. */
  matching: Matching | undefined
  onClose: () => void
  /** Takes the selection back. */
  onClear: () => void
}
interface CaseDialogProps extends Omit<DialogProps, 'onClear'> {
  action: BulkActionName
  title: TextKey
  /** The same input for the server and for the browser. Undefined until it is complete. */
  input: Record<string, unknown> | undefined
  work: BulkWork<AllCasesItem> | undefined
  children?: ReactNode
  size?: number | string
  /** Called when the action begins. */
  onBegun?: () => void
}

const reload = () => void refreshCase()

export function CaseDialog({
  action,
  title,
  rows,
  matching,
  input,
  work,
  onClose,
  children,
  ...more
}: CaseDialogProps) {
  const { t } = useTranslation()
  if (matching)
    return (
      <BulkJobDialog
        title={t(title)}
        list="cases"
        matching={matching}
        ask={input && { action, input }}
        onChanged={reload}
        onClose={onClose}
        {...more}
      >
        {children}
      </BulkJobDialog>
    )
  return (
    <BulkDialog
      title={t(title)}
      rows={rows}
      getName={({ caseNumber, mainDebtorName }) => `${caseNumber} · ${mainDebtorName}`}
      work={work}
      onChanged={reload}
      onClose={onClose}
      {...more}
    >
      {children}
    </BulkDialog>
  )
}
