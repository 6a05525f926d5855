import { TextInput } from '@mantine/core'
import { useState } from 'react'

interface DayInputProps {
  label: string
  day: string | undefined
  max?: string | undefined
  onDay: (day: string | undefined) => void
}

/** While a year is typed, every digit gives a valid date: only a date that stays is requested. */
export function DayInput({ label, day, max, onDay }: DayInputProps) {
  const [text, setText] = useState(day ?? '')
  const store = () => {
    if (text !== (day ?? '')) onDay(text === '' ? undefined : text)
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      max={max}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={store}
      onKeyDown={(event) => event.key === 'Enter' && store()}
    />
  )
}
