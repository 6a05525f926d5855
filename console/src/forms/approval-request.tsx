import { Button, Group, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { approvalActs, approvalSubjects, type ApprovalAct } from '../../../contract/access/approvals.ts'
import { api } from '../api/client.ts'
import { isProblem, refresh } from '../api/queries.ts'
import { noticeDone } from '../widgets/notices.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { useWork } from '../widgets/use-work.ts'
import { DraftOffer } from './draft-offer.tsx'
import { useKeptInput } from './use-kept-input.ts'

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
  const needed = isProblem(error, 'needs-approval') ? error.problem : undefined
  const told = (needed as { approval?: { act?: string } } | undefined)?.approval?.act
  const act = known ?? approvalActs.find((one) => one === told)
  return act && <Request act={act} id={id} input={input} onDone={onDone} />
}

type RequestProps = Pick<ApprovalRequestProps, 'id' | 'input' | 'onDone'> & { act: ApprovalAct }

function Request({ act, id, input, onDone }: RequestProps) {
  const { t } = useTranslation()
  const work = useWork()
  const kept = useKeptInput(`approval/${act}/${id ?? ''}`, { reason: '' })
  const { reason } = kept.values
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
      kept.drop()
      noticeDone(t('approvals.requested'))
      void refresh('listApprovals')
      onDone()
    })
  return (
    <Group align="flex-end">
      <DraftOffer draft={kept.draft} />
      <TextInput
        label={t('field.reason')}
        value={reason}
        maxLength={2000}
        onChange={(event) => kept.change({ reason: event.currentTarget.value })}
      />
      <Button variant="light" loading={work.busy} onClick={() => void request()}>
        {t('approvals.request')}
      </Button>
      <ProblemAlert error={work.error} />
    </Group>
  )
}
