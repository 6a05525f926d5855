import { TextInput, type TextInputProps } from '@mantine/core'
import { userCulture } from '../format/format.ts'
import { faultMessage } from './fault-message.ts'
import { findAmountFault } from './values.ts'

interface AmountInputProps extends Omit<TextInputProps, 'onChange' | 'error'> {
  value: string
  currency: string | undefined
  onChange: (text: string) => void
}

/** The input of an amount outside a form. Says what is wrong with the text and never changes it. */
export function AmountInput({ value, currency, onChange, ...others }: AmountInputProps) {
  const fault = findAmountFault(value, { culture: userCulture(), currency })
  return (
    <TextInput
      inputMode="decimal"
      {...others}
      value={value}
      error={fault && faultMessage(fault)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
