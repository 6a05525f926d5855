import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TrialItem } from '../../../../contract/collection/trials.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { readListFields } from '../../lists/list-fields.ts'
import { useMay } from '../../session/session.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { Facts } from '../../widgets/facts.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { TrialResult } from './trial-result.tsx'

const dictionary = readListFields(TrialItem)
const facts = [
  'clientName',
  'outcomeDays',
  'highestAmount',
  'plannedCases',
  'startedDate',
  'stoppedDate',
  'seed',
]

type Asking = 'start' | 'stop' | 'edit' | 'remove'

/** A trial with its results: how much better each challenger is, and how sure that is. */
export default function TrialPage() {
  const { t } = useTranslation()
  const mayWrite = useMay('system.admin')
  const { trialGuid } = useParams({ from: '/trials/$trialGuid' })
  const [asking, setAsking] = useState<Asking>()
  const { data, error } = useQuery(reading('getTrial', { trialGuid }))
  const results = useQuery(reading('getTrialResults', { trialGuid }))
  const trial = data?.body
  return (
    <Page
      title={trial?.name ?? t('trial.title')}
      about={trial ? <StateBadge lookup="trialstatus" state={trial.status} /> : ' '}
      actions={trial && mayWrite && <Actions status={trial.status} ask={setAsking} />}
    >
      <ProblemAlert error={error ?? results.error} />
      {trial && results.data ? (
        <TrialResult trial={trial} results={results.data.body} />
      ) : (
        !error && <LinesSkeleton lines={8} />
      )}
      {trial && (
        <Panel title={t('trial.title')}>
          <Facts
            fields={dictionary}
            names={facts}
            record={{ ...trial, clientName: trial.clientName ?? t('trial.allClients') }}
          />
        </Panel>
      )}
      {asking && <Dialog asking={asking} trialGuid={trialGuid} onClose={() => setAsking(undefined)} />}
    </Page>
  )
}

function Actions({ status, ask }: { status: TrialItem['status']; ask: (what: Asking) => void }) {
  const { t } = useTranslation()
  if (status === 'RUNNING')
    return (
      <Button variant="default" onClick={() => ask('stop')}>
        {t('trial.stop')}
      </Button>
    )
  if (status === 'STOPPED') return null
  return (
    <>
      <Button onClick={() => ask('start')}>{t('trial.start')}</Button>
      <Button variant="default" onClick={() => ask('edit')}>
        {t('action.edit')}
      </Button>
      <Button variant="default" onClick={() => ask('remove')}>
        {t('action.delete')}
      </Button>
    </>
  )
}

const refreshTrial = () => refresh('listTrials', 'getTrial', 'getTrialResults')

function Dialog({ asking, trialGuid, onClose }: { asking: Asking; trialGuid: string; onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  if (asking === 'edit')
    return (
      <FormDialog
        title={t('trial.edit')}
        entity="trial"
        type="edit"
        place={{ id: trialGuid }}
        onDone={() => {
          void refreshTrial()
          onClose()
        }}
        onClose={onClose}
      />
    )
  const acts = {
    start: () => api.startTrial({ trialGuid }).then(refreshTrial),
    stop: () => api.stopTrial({ trialGuid }).then(refreshTrial),
    remove: async () => {
      await api.deleteTrial({ trialGuid })
      await navigate({ to: '/trials' })
      void refresh('listTrials')
    },
  }
  const texts = {
    start: [t('trial.startTitle'), t('trial.startAbout'), t('trial.start')],
    stop: [t('trial.stopTitle'), t('trial.stopAbout'), t('trial.stop')],
    remove: [t('trial.remove'), t('trial.removeAbout'), t('action.delete')],
  } as const
  const [title, about, confirm] = texts[asking]
  return (
    <ConfirmDialog title={title} about={about} confirm={confirm} onConfirm={acts[asking]} onClose={onClose} />
  )
}
