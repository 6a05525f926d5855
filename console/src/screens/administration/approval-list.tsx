import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Approval } from '../../../../contract/access/approvals.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatMoney } from '../../format/format.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { useKeptInput } from '../../forms/use-kept-input.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useUser } from '../../session/session.ts'
import { codeLabel } from '../../texts/labels.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'
import { HeldFile } from '../payments/held-file.tsx'
import { RequestedPayout } from '../payouts/requested-payout.tsx'
import { WorkDialog } from '../../widgets/work-dialog.tsx'

const decisions = {
  approve: 'approvals.approve',
  reject: 'approvals.reject',
  withdraw: 'approvals.withdraw',
} as const
type Decision = keyof typeof decisions

/** What is decided, where the amount alone does not say it. */
const partsByAct: Readonly<Record<string, ComponentType<Approval>>> = {
  BANK_FILE: HeldFile,
  PAYOUT: RequestedPayout,
}

/** Acts above a limit: approved, rejected or withdrawn here. */
export default function ApprovalList() {
  const { t } = useTranslation()
  const { uniqueId } = useUser()
  const [open, setOpen] = useState<{ decision: Decision; row: Approval }>()
  return (
    <Page title={t('navigation.approvals')} about={t('approvals.about')}>
      <DataList<Approval>
        operation="listApprovals"
        name="approvals"
        row={Approval}
        getKey={({ approvalGuid }) => approvalGuid}
        columns={['requestedAt', 'act', 'status', 'amount', 'caseNumber', 'requestedBy', 'reason']}
        quickFilters={[
          { label: t('lookup.approvalstatus.WAITING'), filter: "status eq 'WAITING'" },
          { label: t('worklist.all') },
        ]}
        rowAction={(row) =>
          row.status === 'WAITING' && (
            <DecisionButtons
              isOwn={row.requestedByGuid === uniqueId}
              onChoose={(decision) => setOpen({ decision, row })}
            />
          )
        }
        empty={t('approvals.none')}
      />
      {open && <DecisionDialog {...open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

function DecisionButtons({ isOwn, onChoose }: { isOwn: boolean; onChoose: (decision: Decision) => void }) {
  const { t } = useTranslation()
  const button = (decision: Decision, variant: string) => (
    <Button size="compact-xs" variant={variant} onClick={() => onChoose(decision)}>
      {t(decisions[decision])}
    </Button>
  )
  return (
    <Group gap="xs" wrap="nowrap">
      {isOwn ? button('withdraw', 'default') : button('reject', 'default')}
      {!isOwn && button('approve', 'filled')}
    </Group>
  )
}

interface DecisionDialogProps {
  decision: Decision
  row: Approval
  onClose: () => void
}

function DecisionDialog({ decision, row, onClose }: DecisionDialogProps) {
  const { t } = useTranslation()
  const kept = useKeptInput(`${decision}/${row.approvalGuid}`, { text: '' })
  const { text } = kept.values
  const Parts = decision === 'withdraw' ? undefined : partsByAct[row.act ?? '']
  const decide = async () => {
    const input = { approvalGuid: row.approvalGuid, body: { decisionText: text || null } }
    await (decision === 'approve' ? api.approveRequest(input) : api.rejectRequest(input))
    kept.drop()
    noticeDone(t('approvals.done'))
    void refresh('listApprovals')
  }
  return (
    <WorkDialog
      title={t(decisions[decision])}
      submit={t(decisions[decision])}
      wide={Parts !== undefined}
      onSubmit={decide}
      onClose={onClose}
    >
      <Text size="sm">
        {[
          codeLabel('act', row.act ?? ''),
          row.amount === null ? '' : formatMoney(row.amount, row.currencyCode),
          row.caseNumber ?? row.clientName ?? '',
          row.requestedBy ?? '',
          row.reason ?? '',
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </Text>
      {Parts && <Parts {...row} />}
      <DraftOffer draft={kept.draft} />
      <TextInput
        label={t('field.decisionText')}
        required={decision === 'reject'}
        value={text}
        maxLength={2000}
        onChange={(event) => kept.change({ text: event.currentTarget.value })}
      />
    </WorkDialog>
  )
}
