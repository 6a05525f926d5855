import { Button, Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { queryClient, refresh } from '../../api/queries.ts'
import { EntityForm } from '../../forms/entity-form.tsx'
import { translateLabel } from '../../texts/labels.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { DayField } from '../../widgets/days/day-field.tsx'
import { useWork } from '../../widgets/use-work.ts'

/** Default terms for clients and cases, and the log level. */
export default function SettingsPage() {
  const { t } = useTranslation()
  const [saved, setSaved] = useState(0)
  return (
    <Page title={t('navigation.settings')}>
      <Panel title={t('settings.defaults')}>
        <EntityForm
          key={saved}
          entity="systemsettings"
          type="edit"
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('getSystemInformation')
            setSaved(saved + 1)
          }}
        />
      </Panel>
      <SystemDate />
      <LogLevel />
    </Page>
  )
}

/** Changes the business date, to preview a later day. An empty date restores the real one. */
function SystemDate() {
  const { t } = useTranslation()
  const work = useWork()
  const [date, setDate] = useState('')
  const store = async () => {
    await api.setSystemDate({ body: { systemDate: date === '' ? null : `${date}T00:00:00Z` } })
    noticeDone(t('form.stored'))
    await queryClient.invalidateQueries()
  }
  return (
    <Panel title={t('field.systemDate')}>
      <form onSubmit={work.onSubmit(store)}>
        <Group align="flex-end">
          <DayField
            label={t('field.systemDate')}
            description={t('settings.dateAbout')}
            value={date}
            onChange={setDate}
          />
          <Button type="submit" variant="default" loading={work.busy}>
            {t('action.save')}
          </Button>
        </Group>
        <ProblemAlert error={work.error} />
      </form>
    </Panel>
  )
}

const levels = Array.from({ length: 11 }, (_, level) => String(level))

function LogLevel() {
  const { t } = useTranslation()
  const work = useWork()
  const [level, setLevel] = useState('1')
  const store = async () => {
    await api.setLogLevel({ body: { logLevel: Number(level) } })
    noticeDone(t('form.stored'))
  }
  return (
    <Panel title={t('settings.logLevel')}>
      <form onSubmit={work.onSubmit(store)}>
        <Group align="flex-end">
          <Select
            label={t('settings.logLevel')}
            description={t('settings.logLevelAbout')}
            data={levels.map((value) => ({
              value,
              label: translateLabel(`lookup.loglevel.${value}`, value),
            }))}
            value={level}
            allowDeselect={false}
            onChange={(next) => setLevel(next!)}
          />
          <Button type="submit" variant="default" loading={work.busy}>
            {t('action.save')}
          </Button>
        </Group>
        <ProblemAlert error={work.error} />
      </form>
    </Panel>
  )
}
