/** The one input of a day. It is typed and shown in the reader's format, or chosen in a calendar. */
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useId } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useBusinessDate } from '../../api/business-date.ts'
import { userCulture } from '../../format/format.ts'
import { readDay, readMoment, writeDay, writeMoment, type DayReading } from '../../format/days.ts'
import { Icon } from '../icons.tsx'
import { dayFormat, findDayFault } from './day-fault.ts'

const loadCalendar = () => import('./day-calendar.tsx')
const DayCalendar = lazy(loadCalendar)

export interface DayFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> {
  /** `YYYY-MM-DD`, with `withTime` also `THH:MM`; otherwise a text that is no day, which is shown as it is. */
  value: string
  /** Takes a day, or the text that is none. */
  onChange: (value: string) => void
  /** A day was chosen in the calendar. */
  onPick?: (value: string) => void
  min?: string | undefined
  max?: string | undefined
  withTime?: boolean
}

export function DayField(props: DayFieldProps) {
  const { value, onChange, onPick, min, max, withTime = false, error, onBlur, onKeyDown, ...others } = props
  const { t } = useTranslation()
  const id = useId(props.id)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const reading = useReading(min, max)
  const text = useTypedText(value, { withTime, reading, onChange })
  const fault = findDayFault(value, { ...reading, withTime })
  useEffect(() => input.current?.setCustomValidity(fault ?? ''), [fault])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <TextInput
      autoComplete="off"
      placeholder={dayFormat(reading.culture)}
      {...others}
      id={id}
      ref={input}
      value={text.shown}
      error={error ?? (text.isLeft ? fault : undefined)}
      onChange={(event) => text.type(event.currentTarget.value)}
      onBlur={(event) => {
        text.leave()
        onBlur?.(event)
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === 'Enter') text.leave()
        if (event.key === 'ArrowDown' && event.altKey) {
          event.preventDefault()
          setOpen(true)
        }
        onKeyDown?.(event)
      }}
      rightSectionPointerEvents="all"
      rightSection={
        <>
          <ActionIcon
            ref={button}
            size={props.size === 'xs' ? 22 : 28}
            variant="subtle"
            color="gray"
            aria-label={t('day.open')}
            aria-describedby={props.label === undefined ? undefined : `${id}-label`}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onPointerEnter={() => void loadCalendar().catch(() => {})}
            onFocus={() => void loadCalendar().catch(() => {})}
            // A press outside closes the calendar; this one is not outside.
            onMouseDown={(event) => event.stopPropagation()}
            onTouchStart={(event) => event.stopPropagation()}
            onClick={() => (isOpen ? close() : setOpen(true))}
          >
            <Icon name="calendar" size={16} />
          </ActionIcon>
          {isOpen && (
            <Suspense>
              <DayCalendar
                day={value.slice(0, 10)}
                {...reading}
                onPick={(day) => {
                  const picked = withTime ? `${day}${value.slice(10) || 'T00:00'}` : day
                  onChange(picked)
                  onPick?.(picked)
                  close()
                }}
                onClose={close}
                onDismiss={() => setOpen(false)}
              />
            </Suspense>
          )}
        </>
      }
    />
  )
}

/** Until the business date is loaded, and for those who may not read it, the browser's date says what is nearest. */
function useReading(min: string | undefined, max: string | undefined): DayReading {
  const today = useBusinessDate() ?? new Date().toISOString()
  return { culture: userCulture(), today: today.slice(0, 10), min, max }
}

interface TypedOptions {
  withTime: boolean
  reading: DayReading
  onChange: (value: string) => void
}

/** What was typed stays as it is until the field is left, or until its value changes from elsewhere. */
function useTypedText(value: string, { withTime, reading, onChange }: TypedOptions) {
  const [typed, setTyped] = useState<{ text: string; before: string; after: string }>()
  const [isLeft, setLeft] = useState(value !== '')
  const read = (text: string) => (withTime ? readMoment : readDay)(text, reading) ?? text.trim()
  const isTyped = typed && (value === typed.after || value === typed.before)
  return {
    shown: isTyped ? typed.text : (withTime ? writeMoment : writeDay)(value, reading.culture),
    /** Whether a fault may be shown: not to somebody who is still typing. */
    isLeft,
    type: (text: string) => {
      const after = read(text)
      setTyped({ text, before: value, after })
      setLeft(false)
      if (after !== value) onChange(after)
    },
    leave: () => {
      setLeft(true)
      if (typed?.after === value) setTyped(undefined)
    },
  }
}
