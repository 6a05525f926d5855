import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { isProblem, reading } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

const hasEnded = (status: string | undefined) =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/**
 * Starts a verification of the audit trail in the background (S11 `verify-ledger`), follows the job, and shows its
 * result.
 */
export function useChainCheck() {
  const { t } = useTranslation()
  const mayRun = useMay('system.admin')
  const work = useWork()
  const [jobId, setJobId] = useState<string>()
  const { data, error } = useQuery({
    ...reading('getJob', { jobId: jobId ?? '' }),
    enabled: jobId !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (hasEnded(state.data?.body.status) ? false : 500),
  })
  const start = async () => {
    try {
      const answer = await api.runCommand({ command: 'verify-ledger', body: {} })
      setJobId((answer as { jobId?: string }).jobId)
    } catch (failure) {
      // A verification is running already: follow that one.
      const running = isProblem(failure, 'conflict') && (failure.problem as { jobId?: string }).jobId
      if (!running) throw failure
      setJobId(running)
    }
  }
  const job = jobId === undefined ? undefined : data?.body
  const busy = work.busy || (jobId !== undefined && !error && !hasEnded(job?.status))
  const entries = Number(job?.result?.['auditEntries'] ?? 0)
  return {
    button: mayRun && (
      <Button variant="default" loading={busy} onClick={() => void work.run(start)}>
        {t('audit.check')}
      </Button>
    ),
    outcome: (
      <div role="status">
        <ProblemAlert error={work.error ?? error} />
        {busy && jobId !== undefined && <Text size="sm">{t('audit.checking')}</Text>}
        {job?.status === 'completed' && (
          <Alert color="teal" title={t('audit.whole')}>
            {t('audit.wholeAbout', { entries: formatNumber(entries) })}
          </Alert>
        )}
        {(job?.status === 'failed' || job?.status === 'cancelled') && (
          <Alert color="red" title={t('audit.notWhole')}>
            {job.lastError}
          </Alert>
        )}
      </div>
    ),
  }
}
