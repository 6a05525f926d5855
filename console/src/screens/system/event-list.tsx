import { useTranslation } from 'react-i18next'
import { Event } from '../../../../contract/platform/events.ts'
import { DataList } from '../../lists/data-list.tsx'
import { translateLabel } from '../../texts/labels.ts'
import { Page } from '../../widgets/page.tsx'

/** The data is several values, so it has a column of its own. */
const row = {
  properties: {
    ...Event.properties,
    data: { type: 'string', title: 'Data', 'x-field': { unfilterable: true } },
  },
}
const startsWith = (entity: string) => `startswith(type,'${entity}.')`

/** The events for other systems, latest first. */
export default function EventList() {
  const { t } = useTranslation()
  return (
    <Page title={t('navigation.events')} about={t('events.about')}>
      <DataList<Event>
        operation="searchEvents"
        name="events"
        row={row}
        getKey={({ position }) => String(position)}
        columns={['occurredAt', 'type', 'subject', 'sequence', 'data']}
        cells={{
          type: ({ type }) => <EventType type={type} />,
          data: ({ data }) => <EventData data={data} />,
        }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('navigation.debtors'), filter: startsWith('debtor') },
          { label: t('navigation.cases'), filter: startsWith('case') },
          { label: t('navigation.payments'), filter: startsWith('payment') },
          { label: t('plan.plans'), filter: startsWith('paymentplan') },
          { label: t('navigation.users'), filter: startsWith('user') },
        ]}
        empty={t('audit.none')}
      />
    </Page>
  )
}

/** In words, and as other systems know it when the pointer rests there. */
function EventType({ type }: { type: string }) {
  const [entity = '', action = ''] = type.split('.')
  const words = [translateLabel(`entity.${entity}`, entity), translateLabel(`audit.${action}`, action)]
  return <span title={type}>{words.join(': ')}</span>
}

/** What the event tells, by the labels of its members. Opened, it is as other systems get it. */
function EventData({ data }: { data: Record<string, unknown> }) {
  const { t } = useTranslation()
  const members = Object.keys(data)
  if (members.length === 0) return null
  const labels = members.map((member) => translateLabel(`field.${member}`, '')).filter((one) => one !== '')
  return (
    <details>
      <summary>{labels.length > 0 ? [...new Set(labels)].join(', ') : t('field.data')}</summary>
      <pre className="code event-data">{JSON.stringify(data, null, 2)}</pre>
    </details>
  )
}
