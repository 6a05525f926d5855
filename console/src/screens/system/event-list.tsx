import { useTranslation } from 'react-i18next'
import { Event } from '../../../../contract/platform/events.ts'
import { DataList } from '../../lists/data-list.tsx'
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
        keyOf={({ position }) => String(position)}
        columns={['occurredAt', 'type', 'subject', 'sequence', 'data']}
        cells={{
          type: ({ type }) => <code className="code">{type}</code>,
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

function EventData({ data }: { data: Record<string, unknown> }) {
  const members = Object.keys(data)
  if (members.length === 0) return null
  return (
    <details>
      <summary className="code">{members.join(', ')}</summary>
      <pre className="code event-data">{JSON.stringify(data, null, 2)}</pre>
    </details>
  )
}
