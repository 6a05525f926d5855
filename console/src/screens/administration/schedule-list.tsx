import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Schedule } from '../../../../contract/platform/schedules.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { DataList } from '../../lists/data-list.tsx'
import { translateLabel, useLabels } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'

type Asked = { what: 'create' } | { what: 'edit' | 'remove'; schedule: Schedule }

const scheduleName = ({ command, argument }: Schedule) =>
  [translateLabel(`lookup.command.${command}`, command), ...argument].join(' ')

/** Scheduled commands. */
export default function ScheduleList() {
  const { t } = useTranslation()
  useLabels()
  const [asked, setAsked] = useState<Asked>()
  const shut = () => setAsked(undefined)
  const stored = () => {
    noticeDone(t('form.stored'))
    void refresh('listSchedules')
    shut()
  }
  return (
    <Page
      title={t('navigation.schedules')}
      about={t('schedule.about')}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAsked({ what: 'create' })}>
          {t('schedule.new')}
        </Button>
      }
    >
      <DataList<Schedule>
        operation="listSchedules"
        name="schedules"
        row={Schedule}
        getKey={({ scheduleGuid }) => scheduleGuid}
        columns={['command', 'cron', 'enabled', 'nextRunAt', 'lastRunAt', 'description']}
        cells={{ command: scheduleName }}
        rowAction={(schedule) => <Steps schedule={schedule} onAsk={(what) => setAsked({ what, schedule })} />}
        empty={t('schedule.none')}
        emptyAction={<FirstButton onClick={() => setAsked({ what: 'create' })} />}
      />
      {asked?.what === 'create' && (
        <FormDialog
          title={t('schedule.new')}
          entity="schedule"
          type="create"
          place={{}}
          onDone={stored}
          onClose={shut}
        />
      )}
      {asked?.what === 'edit' && (
        <FormDialog
          title={t('schedule.edit')}
          entity="schedule"
          type="edit"
          place={{ id: asked.schedule.scheduleGuid }}
          onDone={stored}
          onClose={shut}
        />
      )}
      {asked?.what === 'remove' && (
        <ConfirmDialog
          title={t('schedule.removeThis', { name: scheduleName(asked.schedule) })}
          about={t('schedule.removeAbout')}
          confirm={t('action.delete')}
          onConfirm={async () => {
            const { scheduleGuid: id } = asked.schedule
            await api.deleteFromForm({ entity: 'schedule', type: 'edit', id })
            void refresh('listSchedules')
          }}
          onClose={shut}
        />
      )}
    </Page>
  )
}

function Steps({ schedule, onAsk }: { schedule: Schedule; onAsk: (what: 'edit' | 'remove') => void }) {
  const { t } = useTranslation()
  const name = scheduleName(schedule)
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('schedule.editThis', { name })}
        onClick={() => onAsk('edit')}
      >
        {t('action.edit')}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('schedule.removeThis', { name })}
        onClick={() => onAsk('remove')}
      >
        {t('action.delete')}
      </Button>
    </Group>
  )
}
