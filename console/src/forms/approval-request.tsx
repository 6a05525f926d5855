import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { approvalActs, approvalSubjects, type ApprovalAct } from '../../../contract/access/approvals.ts'
import { api } from '../api/client.ts'
import { isProblem, refresh } from '../api/queries.ts'
import { noticeDone } from '../widgets/notices.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { useWork } from '../widgets/use-work.ts'

interface ApprovalRequestProps {
  /** Why the act was refused; nothing is shown unless it needs a second person. */
  error?: unknown
  /** The act, when it is known to need a second person before it is tried. */
  known?: ApprovalAct
  /** The case, client, objection, invoice or debtor of the act. */
  id?: string | undefined
  input: Record<string, unknown> | (() => Promise<Record<string, unknown>>)
  onDone: () => void
}

/** Offers to request an act that needs a second person. */
export function ApprovalRequest({ error, known, id, input, onDone }: ApprovalRequestProps) {
  const { t } = useTranslation()
  const work = useWork()
  const [reason, setReason] = useState('')
  const needed = isProblem(error, 'needs-approval') ? error.problem : undefined
  const told = (needed as { approval?: { act?: string } } | undefined)?.approval?.act
  const act = known ?? approvalActs.find((one) => one === told)
  if (act === undefined) return null
  const subject = approvalSubjects[act]
  const request = () =>
    work.run(async () => {
      await api.requestApproval({
        body: {
          act,
          ...(subject !== null && id && { [`${subject}Guid`]: id }),
          input: typeof input === 'function' ? await input() : input,
          reason: reason || null,
        },
      })
      noticeDone(t('approvals.requested'))
      void refresh('listApprovals')
      onDone()
    })
  return (
    <Group align="flex-end">
      <TextInput
        label={t('field.reason')}
        value={reason}
        maxLength={2000}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Button variant="light" loading={work.busy} onClick={() => void request()}>
        {t('approvals.request')}
      </Button>
      <ProblemAlert error={work.error} />
    </Group>
  )
}
