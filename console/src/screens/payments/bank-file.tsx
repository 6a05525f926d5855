/** A bank file: what it is, what would become of it, and its booking. */
import { Alert, Badge, Button, Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentFileCheck } from '../../../../contract/treasury/payment-files.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { ApprovalRequest } from '../../forms/approval-request.tsx'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Facts } from './bank-file-facts.tsx'
import { CheckedAccounts, CheckedProblems } from './bank-file-tables.tsx'
import { dropKeptBankFile } from './kept-bank-file.ts'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { useWork } from '../../widgets/use-work.ts'

interface BankFileProps {
  file: File
  onAnother: () => void
}

const readBytes = async (file: File) => new Uint8Array(await file.arrayBuffer())

export function BankFile({ file, onAnother }: BankFileProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [checked, setChecked] = useState<PaymentFileCheck>()
  const [sent, setSent] = useState<string>()
  const checking = useWork()
  const sending = useWork()
  const { run } = checking
  useEffect(() => {
    void run(async () => setChecked(await api.checkPaymentFile({ body: await readBytes(file) })))
    // A file is checked once, when it is chosen.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [file])
  // A file that was booked or handed on is not offered again.
  const isDone = useRef(false)
  useEffect(() => () => void (isDone.current && dropKeptBankFile()), [])
  const send = () =>
    void sending.run(async () => {
      const body = await readBytes(file)
      const made = await api.uploadPaymentFile({ fileName: file.name.slice(0, 255), body })
      isDone.current = true
      setSent(made.paymentFileGuid)
      await refresh('listPaymentFiles')
    })
  const hold = async () => {
    const body = await readBytes(file)
    const { heldFileGuid } = await api.holdPaymentFile({ fileName: file.name.slice(0, 255), body })
    return { heldFileGuid }
  }
  const toApprovals = () => {
    isDone.current = true
    void navigate({ to: '/approvals' })
  }
  const another = (
    <Button variant="default" size="xs" disabled={sending.busy} onClick={onAnother}>
      {t('import.another')}
    </Button>
  )
  return (
    <>
      <LeaveGuard active={checked !== undefined && sent === undefined} isKept />
      <Panel title={file.name} actions={another}>
        {checking.busy && (
          <div role="status" aria-label={t('import.checking')}>
            <LinesSkeleton lines={4} />
          </div>
        )}
        <ProblemAlert error={checking.error} />
        {checked && <Checked checked={checked} />}
      </Panel>
      {checked?.needsApproval && !sent && (
        <>
          <Alert color="yellow">{t('bankFile.needsApproval')}</Alert>
          <ApprovalRequest known="BANK_FILE" input={hold} onDone={toApprovals} />
        </>
      )}
      {checked && !checked.needsApproval && !sent && (
        <Group>
          <Button
            data-main-action
            loading={sending.busy}
            disabled={checked.receivedBefore !== null}
            leftSection={<Icon name="play" size={15} />}
            onClick={send}
          >
            {t('bankFile.book', { count: checked.entries, number: formatNumber(checked.entries) })}
          </Button>
        </Group>
      )}
      <ProblemAlert error={sending.error} />
      {!checked?.needsApproval && <ApprovalRequest error={sending.error} input={hold} onDone={toApprovals} />}
      {sent !== undefined && <Booked paymentFileGuid={sent} />}
    </>
  )
}

/** What became of a tried file. */
export function Checked({ checked }: { checked: PaymentFileCheck }) {
  const { t } = useTranslation()
  const { format, booked, suspended, alreadyThere, returned, notBooked, untried, receivedBefore } = checked
  return (
    <>
      <Group gap="sm" mb="sm">
        <Text size="sm">{t('bankFile.recognised')}</Text>
        <Badge variant="light" tt="none" fw={500}>
          {translateLabel(`lookup.bankfileformat.${format}`, format)}
        </Badge>
      </Group>
      {receivedBefore !== null && (
        <Alert color="yellow" mb="sm" role="alert">
          {t('bankFile.before')}{' '}
          <Link to="/payment-files/$paymentFileGuid" params={{ paymentFileGuid: receivedBefore }}>
            {t('bankFile.show')}
          </Link>
        </Alert>
      )}
      <Facts
        facts={[
          [t('bankFile.matched'), booked],
          [t('bankFile.suspense'), suspended],
          [t('bankFile.doubles'), alreadyThere],
          [t('bankFile.returns'), returned],
          [t('bankFile.others'), notBooked],
          ...(untried > 0 ? ([[t('bankFile.untried'), untried]] as const) : []),
        ]}
      />
      <CheckedAccounts accounts={checked.accounts} />
      {checked.problems.length > 0 && <CheckedProblems problems={checked.problems} />}
    </>
  )
}

const everyMs = 1000

function Booked({ paymentFileGuid }: { paymentFileGuid: string }) {
  const { t } = useTranslation()
  const { data, error } = useQuery({
    ...reading('getPaymentFile', { paymentFileGuid }),
    refetchInterval: ({ state }) => (state.data?.body.postedAt === null ? everyMs : false),
  })
  const file = data?.body
  if (!file) return <ProblemAlert error={error} />
  const { entries, booked, suspended, alreadyThere, notBooked, postedAt } = file
  const done = booked + suspended + alreadyThere + notBooked
  return (
    <Panel title={t('bankFile.booked')}>
      <Group gap="sm" mb="xs">
        <StateBadge lookup="workstatus" state={postedAt === null ? 'running' : 'completed'} />
        <Text size="sm" role="status">
          {t('bankFile.progress', { done: formatNumber(done), all: formatNumber(entries) })}
        </Text>
      </Group>
      <Progress
        value={entries === 0 ? 100 : (100 * done) / entries}
        mb="sm"
        aria-label={t('field.progress')}
      />
      <Facts
        facts={[
          [t('bankFile.matched'), booked],
          [t('bankFile.suspense'), suspended],
          [t('bankFile.doubles'), alreadyThere],
          [t('bankFile.others'), notBooked],
        ]}
      />
      <Group>
        {postedAt !== null && suspended > 0 && (
          <Button component={Link} to="/suspense">
            {t('bankFile.toSuspense')}
          </Button>
        )}
        <Button variant="default" component={Link} to={`/payment-files/${paymentFileGuid}`}>
          {t('bankFile.show')}
        </Button>
      </Group>
    </Panel>
  )
}
