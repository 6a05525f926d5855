import { useState } from 'react'
import { isDate } from '../../../../core/calendar/calendar.ts'
import { DayField, type DayFieldProps } from './day-field.tsx'

interface DayQueryProps extends Omit<DayFieldProps, 'value' | 'onChange' | 'onPick'> {
  day: string | undefined
  onDay: (day: string | undefined) => void
}

/** A day that something is requested for: once the field is left, since each key may give a valid day. */
export function DayQuery({ day, onDay, ...others }: DayQueryProps) {
  const [text, setText] = useState(day ?? '')
  const store = (value: string) => {
    if (value !== (day ?? '') && (value === '' || isDate(value))) onDay(value || undefined)
  }
  return (
    <DayField
      {...others}
      value={text}
      onChange={setText}
      onPick={store}
      onBlur={() => store(text)}
      onKeyDown={(event) => event.key === 'Enter' && store(text)}
    />
  )
}
