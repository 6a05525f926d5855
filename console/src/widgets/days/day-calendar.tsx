/** The calendar of a day's field, by the date picker dialog of the WAI-ARIA Authoring Practices. */
import { ActionIcon, Button, Group, Popover, Text } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isDate } from '../../../../core/calendar/calendar.ts'
import { nameMonth, nameWeekday, sayDay, type DayReading } from '../../format/days.ts'
import { capitalise } from '../../texts/labels.ts'
import { Icon } from '../icons.tsx'
import { isTaken, listWeeks, moveDay, stepDay, takenDay } from './calendar-days.ts'
import './day-calendar.css'

interface DayCalendarProps extends DayReading {
  /** The day of the field, or any other text. */
  day: string
  onPick: (day: string) => void
  /** Closes it, and gives the focus back. */
  onClose: () => void
  /** Closes it after a press elsewhere, which takes the focus. */
  onDismiss: () => void
}

/** Escape belongs to the calendar, not to the dialog below it. */
const ownEscape = { 'data-mantine-stop-propagation': 'true' }

export default function DayCalendar(props: DayCalendarProps) {
  const { t } = useTranslation()
  const { onClose, onDismiss } = props
  return (
    <Popover
      opened
      position="bottom-end"
      trapFocus
      withRoles={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      onChange={(opened) => !opened && onDismiss()}
    >
      <Popover.Target>
        <span className="calendar-anchor" />
      </Popover.Target>
      <Popover.Dropdown
        className="calendar"
        role="dialog"
        aria-modal="true"
        aria-label={t('day.choose')}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') onClose()
        }}
        // React sends what happens here to the field as well.
        onChange={(event) => event.stopPropagation()}
        onBlur={(event) => event.stopPropagation()}
        onClick={(event) => event.stopPropagation()}
      >
        <Month {...props} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Month({ day, onPick, ...reading }: DayCalendarProps) {
  const { culture, today } = reading
  const [active, setActive] = useState(() => takenDay(isDate(day) ? day : today, reading))
  const grid = useRef<HTMLTableElement>(null)
  const byButton = useRef(false)
  const titleId = useId()
  useEffect(() => {
    if (!byButton.current)
      grid.current?.querySelector<HTMLElement>('td[tabindex="0"]')?.focus({ preventScroll: true })
    byButton.current = false
  }, [active])
  const step = (months: number) => {
    byButton.current = true
    setActive(takenDay(stepDay(active, months), reading))
  }
  const onKey = (event: KeyboardEvent) => {
    byButton.current = false
    const next = moveDay(active, event, culture)
    if (next !== undefined) setActive(takenDay(next, reading))
    else if (event.key === 'Enter' || event.key === ' ') onPick(active)
    else return
    event.preventDefault()
  }
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap={0}>
        <Step name="day.yearBefore" onClick={() => step(-12)} />
        <Step name="day.monthBefore" onClick={() => step(-1)} />
        <Text id={titleId} fw={600} size="sm" ta="center" flex={1} aria-live="polite">
          {capitalise(nameMonth(active, culture))}
        </Text>
        <Step name="day.monthAfter" onClick={() => step(1)} />
        <Step name="day.yearAfter" onClick={() => step(12)} />
      </Group>
      <table ref={grid} role="grid" aria-labelledby={titleId} onKeyDown={onKey}>
        <Weeks {...reading} day={day} active={active} onPick={onPick} />
      </table>
      <Button
        {...ownEscape}
        variant="subtle"
        size="compact-sm"
        fullWidth
        disabled={!isTaken(today, reading)}
        onClick={() => onPick(today)}
      >
        {capitalise(new Intl.RelativeTimeFormat(culture, { numeric: 'auto' }).format(0, 'day'))}
      </Button>
    </>
  )
}

const steps = {
  'day.yearBefore': 'farLeft',
  'day.monthBefore': 'left',
  'day.monthAfter': 'right',
  'day.yearAfter': 'farRight',
} as const

function Step({ name, onClick }: { name: keyof typeof steps; onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <ActionIcon
      {...ownEscape}
      className="calendar-step"
      variant="subtle"
      color="gray"
      aria-label={t(name)}
      onClick={onClick}
    >
      <Icon name={steps[name]} size={16} />
    </ActionIcon>
  )
}

interface WeeksProps extends DayReading {
  day: string
  active: string
  onPick: (day: string) => void
}

function Weeks({ day, active, onPick, ...reading }: WeeksProps) {
  const { culture, today } = reading
  const weeks = listWeeks(active, culture)
  return (
    <>
      <thead>
        <tr>
          {weeks[0]!.map((one) => (
            <th key={one} scope="col" abbr={nameWeekday(one, culture, 'long')}>
              {nameWeekday(one, culture, 'short').slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((one) =>
              one.slice(0, 7) === active.slice(0, 7) ? (
                <td
                  {...ownEscape}
                  key={one}
                  role="gridcell"
                  tabIndex={one === active ? 0 : -1}
                  // The trap of the focus begins here.
                  data-autofocus={one === active || undefined}
                  aria-label={sayDay(one, culture)}
                  aria-selected={one === day}
                  aria-current={one === today ? 'date' : undefined}
                  aria-disabled={!isTaken(one, reading) || undefined}
                  onClick={() => isTaken(one, reading) && onPick(one)}
                >
                  {Number(one.slice(8))}
                </td>
              ) : (
                <td key={one} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </>
  )
}
