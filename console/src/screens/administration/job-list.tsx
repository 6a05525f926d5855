import { Button, Group, Progress, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Job } from '../../../../contract/platform/jobs.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import { codeLabel, translateLabel } from '../../texts/labels.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { saveBytes } from '../../lists/save-file.ts'
import { CommandDialog } from './command-dialog.tsx'
import { JobResult } from './job-result.tsx'

const refreshMs = 4000
/** Progress is several values, so it has a column of its own. */
const row = {
  properties: {
    ...Job.properties,
    progress: { type: 'string', title: 'Progress', 'x-field': { unfilterable: true } },
  },
}

const jobName = (name: string) => translateLabel(`lookup.command.${name}`, name)

/** Background jobs and their results. The list reloads by itself. */
export default function JobList() {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [shown, setShown] = useState<Job>()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh('listJobs')
    }, refreshMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Page
      title={t('navigation.jobs')}
      about={t('job.about')}
      actions={
        <>
          <Button variant="default" component={Link} to="/import">
            {t('import.title')}
          </Button>
          <Button leftSection={<Icon name="play" size={15} />} onClick={() => setAsking(true)}>
            {t('command.run')}
          </Button>
        </>
      }
    >
      <DataList<Job & { progress?: never }>
        operation="listJobs"
        name="jobs"
        row={row}
        getKey={({ jobId }) => jobId}
        columns={['name', 'kind', 'status', 'progress', 'createdAt', 'endedAt', 'lastError']}
        cells={{
          name: ({ name }) => jobName(name),
          kind: ({ kind }) => codeLabel('kind', kind),
          status: ({ status }) => <StateBadge lookup="workstatus" state={status} />,
          progress: (job) => <JobProgress job={job} />,
        }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('lookup.workstatus.running'), filter: "status eq 'running'" },
          { label: t('lookup.workstatus.waiting'), filter: "status eq 'waiting'" },
          { label: t('lookup.workstatus.failed'), filter: "status eq 'failed'" },
        ]}
        rowAction={(job) => <JobSteps job={job} onResult={() => setShown(job)} />}
        empty={t('job.none')}
      />
      {asking && <CommandDialog onClose={() => setAsking(false)} />}
      {shown?.result && (
        <JobResult name={jobName(shown.name)} result={shown.result} onClose={() => setShown(undefined)} />
      )}
    </Page>
  )
}

function JobProgress({ job }: { job: Job }) {
  const { t } = useTranslation()
  const { progressDone: done, progressTotal: total } = job
  if (done === null || job.status === 'completed') return null
  if (!total) return formatNumber(done)
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={(done / total) * 100} w={90} aria-label={t('field.progress')} />
      <Text size="xs">
        {formatNumber(done)} / {formatNumber(total)}
      </Text>
    </Group>
  )
}

interface JobStepsProps {
  job: Job
  onResult: () => void
}

function JobSteps({ job: { jobId, name, status, result }, onResult }: JobStepsProps) {
  const { t } = useTranslation()
  const run = (work: Promise<unknown>) =>
    work
      .then(() => {
        noticeDone(t('job.asked'))
        return refresh('listJobs')
      })
      .catch(noticeProblem)
  if (status === 'waiting' || status === 'running')
    return (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('job.cancelThis', { name })}
        onClick={() => void run(api.cancelJob({ jobId }))}
      >
        {t('job.cancel')}
      </Button>
    )
  const answer = result && Object.keys(result).length > 0 && (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t('job.resultThis', { name: jobName(name) })}
      onClick={onResult}
    >
      {t('job.result')}
    </Button>
  )
  if (status === 'completed')
    return (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <RejectedRows result={result} />
        {answer}
      </Group>
    )
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {answer}
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('job.retryThis', { name })}
        onClick={() => void run(api.retryJob({ jobId }))}
      >
        {t('job.retry')}
      </Button>
    </Group>
  )
}

function RejectedRows({ result }: Pick<Job, 'result'>) {
  const { t } = useTranslation()
  const fileGuid = result?.['rejectedRows'] === undefined ? undefined : result['fileGuid']
  if (typeof fileGuid !== 'string') return null
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() =>
        void api
          .getRejectedRows({ fileGuid, rows: true })
          .then((rows) => saveBytes(rows, 'text/csv;charset=utf-8', 'rejected.csv'))
          .catch(noticeProblem)
      }
    >
      {t('import.rejected')}
    </Button>
  )
}
