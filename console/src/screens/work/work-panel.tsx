import { Button, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseWork, WorkItem } from '../../../../contract/work/work.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { useKeptInput } from '../../forms/use-kept-input.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { translateLabel } from '../../texts/labels.ts'
import { LaterDay } from '../../widgets/days/later-day.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { NextStepFact } from './next-step.tsx'
import { DueDate, reasonLabel, workTask } from './my-work.tsx'
import { markDone, refreshWork } from './work-changes.ts'

/** Who works on a case, what comes next, and why the case is in the queue. */
export function WorkPanel({ caseGuid, hold }: { caseGuid: string; hold: string | null }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'assign' | 'next'>()
  const { data, error } = useQuery(reading('getCaseWork', { caseGuid }))
  const work = data?.body
  useKey(caseKeys.assign, () => setOpen('assign'), work !== undefined)
  useKey(caseKeys.next, () => setOpen('next'), work !== undefined)
  const close = () => setOpen(undefined)
  return (
    <Panel
      title={t('work.title')}
      actions={
        work && (
          <>
            <Button size="xs" variant="default" onClick={() => setOpen('assign')}>
              {t('work.assign')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen('next')}>
              {t('work.setNext')}
            </Button>
          </>
        )
      }
    >
      <ProblemAlert error={error} />
      {!work && !error && <LinesSkeleton lines={3} />}
      {work && (
        <>
          <dl className="facts">
            {hold !== null && (
              <Fact title={t('field.hold')} value={translateLabel(`lookup.holdreason.${hold}`, hold)} />
            )}
            <Fact title={t('field.ownerName')} value={work.ownerName ?? t('work.nobody')} />
            <Fact title={t('field.teamName')} value={work.teamName ?? t('work.noTeam')} />
            <Fact
              title={t('field.nextAction')}
              value={
                work.nextActionDate === null
                  ? t('work.noNext')
                  : [formatDateTime(work.nextActionDate), work.nextAction].filter(Boolean).join(' · ')
              }
            />
            <Fact title={t('work.step.title')} value={<NextStepFact next={work.nextStep} />} />
          </dl>
          <ul className="explanation">
            {work.items.map((item) => (
              <Item key={item.itemId} item={item} />
            ))}
          </ul>
        </>
      )}
      {open === 'assign' && work && <AssignDialog caseGuids={[caseGuid]} owner={work} onClose={close} />}
      {open === 'next' && work && (
        <NextActionDialog caseGuid={caseGuid} work={work} etag={data.etag} onClose={close} />
      )}
    </Panel>
  )
}

function Fact({ title, value }: { title: string; value: ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </>
  )
}

function Item({ item }: { item: WorkItem }) {
  const { t } = useTranslation()
  const task = workTask(item)
  const work = useWork()
  return (
    <li className="lined">
      <div>
        <Text size="sm" fw={500}>
          {reasonLabel(item.reason)}
        </Text>
        {task !== null && <Text size="sm">{task}</Text>}
        <Text size="xs" c="dimmed" component="div">
          <DueDate item={item} />
        </Text>
        <ProblemAlert error={work.error} />
      </div>
      <Button
        size="xs"
        variant="default"
        loading={work.busy}
        aria-label={t('work.doneThis', { reason: reasonLabel(item.reason) })}
        onClick={() => void work.run(() => markDone([item]))}
      >
        {t('work.done')}
      </Button>
    </li>
  )
}

interface NextActionDialogProps {
  caseGuid: string
  work: CaseWork
  etag: string | undefined
  onClose: () => void
}

function NextActionDialog({ caseGuid, work, etag, onClose }: NextActionDialogProps) {
  const { t } = useTranslation()
  const { values, change, draft, drop } = useKeptInput(`next/${caseGuid}`, {
    text: work.nextAction ?? '',
    date: work.nextActionDate?.slice(0, 10) ?? '',
  })
  const { text, date } = values
  const store = async () => {
    const body = { nextAction: text.trim() || null, nextActionDate: date === '' ? null : `${date}T00:00:00Z` }
    await api.setNextAction({ caseGuid, body }, etag === undefined ? {} : { ifMatch: etag })
    drop()
    await refreshWork()
    noticeDone(t('form.stored'))
  }
  return (
    <WorkDialog
      title={t('field.nextAction')}
      submit={t('action.save')}
      disabled={text.trim() !== '' && date === ''}
      onSubmit={store}
      onClose={onClose}
    >
      <DraftOffer draft={draft} />
      <TextInput
        label={t('work.what')}
        maxLength={500}
        value={text}
        data-autofocus
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <LaterDay label={t('work.on')} day={date} onDay={(day) => change({ date: day })} />
    </WorkDialog>
  )
}
