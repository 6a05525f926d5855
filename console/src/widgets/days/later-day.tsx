/** A date to come, with the days that are wanted most as buttons. */
import { Button, Group } from '@mantine/core'
import { addDays, addMonths, toDayNumber } from '../../../../core/calendar/calendar.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { textCulture } from '../../format/format.ts'
import { DayField } from './day-field.tsx'

interface LaterDayProps {
  label: string
  required?: boolean
  /** `YYYY-MM-DD`, or empty. */
  day: string
  onDay: (day: string) => void
}

const choices = [
  { count: 1, unit: 'day' },
  { count: 1, unit: 'week' },
  { count: 2, unit: 'week' },
  { count: 1, unit: 'month' },
] as const
type Choice = (typeof choices)[number]

export function LaterDay({ label, required = false, day, onDay }: LaterDayProps) {
  const today = useBusinessDate()?.slice(0, 10)
  return (
    <div>
      <DayField label={label} required={required} min={today} value={day} onChange={onDay} />
      {today !== undefined && (
        <Group gap={4} mt={4}>
          {choices.map((choice) => (
            <Button
              key={choiceName(choice)}
              size="compact-xs"
              variant="default"
              aria-label={`${label}: ${choiceName(choice)}`}
              // The date can be typed: Tab goes on to the next field.
              tabIndex={-1}
              onClick={() => onDay(findDay(today, choice))}
            >
              {choiceName(choice)}
            </Button>
          ))}
        </Group>
      )}
    </div>
  )
}

/** In the words of the user's language: tomorrow, in 1 week. */
function choiceName({ count, unit }: Choice): string {
  const numeric = unit === 'day' ? 'auto' : 'always'
  return new Intl.RelativeTimeFormat(textCulture(), { numeric }).format(count, unit)
}

/** Of a weekend, the Monday after it. */
function findDay(today: string, { count, unit }: Choice): string {
  const day = unit === 'month' ? addMonths(today, count) : addDays(today, unit === 'week' ? 7 * count : count)
  // 1970-01-01 was a Thursday: 0 is Monday.
  const weekday = (toDayNumber(day) + 3) % 7
  return weekday > 4 ? addDays(day, 7 - weekday) : day
}
