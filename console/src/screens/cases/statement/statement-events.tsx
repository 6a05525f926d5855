import { Badge, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StatementEvent } from '../../../../../contract/cases/case-statement.ts'
import { formatDateTime } from '../../../format/format.ts'

/** What happened without an amount, such as a closing or new interest terms, latest first. */
export function StatementEvents({ events }: { events: readonly StatementEvent[] }) {
  const { t } = useTranslation()
  if (events.length === 0) return null
  return (
    <>
      <Title order={3} size="h5" mt="md">
        {t('statement.events')}
      </Title>
      <ul className="explanation">
        {events.toReversed().map((event) => (
          <li key={event.movementGuid} className="lined">
            <div>
              <Text size="sm">{event.text}</Text>
              <Text size="xs" c="dimmed">
                {formatDateTime(event.valueDate)}
                {event.bookedDate !== event.valueDate &&
                  ` · ${t('statement.booked', { date: formatDateTime(event.bookedDate) })}`}
              </Text>
            </div>
            {event.reversed && (
              <Badge color="gray" variant="light" tt="none">
                {t('statement.reversed')}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
