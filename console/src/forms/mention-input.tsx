import { Combobox, Textarea, useCombobox, type TextareaProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

export interface TextProps {
  value: string
  onChange: (value: string) => void
}

interface MentionInputProps extends Omit<TextareaProps, 'value' | 'onChange'>, TextProps {
  loadNames: () => Promise<string[]>
}

const namesMax = 6

/** The text after the last `@` before the caret, if it may become a name. */
const typedName = (text: string, caret: number): string | undefined =>
  /(?:^|\s)@([^@\n]{0,40})$/.exec(text.slice(0, caret))?.[1]

/** A text in which users are mentioned: `@` offers their names, within the dialog that the text is in. */
export function MentionInput({ value, onChange, loadNames, ...rest }: MentionInputProps) {
  const { t } = useTranslation()
  const combobox = useCombobox()
  const input = useRef<HTMLTextAreaElement>(null)
  const [begin, setBegin] = useState<string>()
  const { data: names = [] } = useQuery({ queryKey: ['mentions'], queryFn: loadNames })
  const found =
    begin === undefined
      ? []
      : names.filter((name) => name.toLowerCase().includes(begin.toLowerCase())).slice(0, namesMax)
  const isChosen = found.length === 1 && found[0]!.toLowerCase() === begin?.trim().toLowerCase()
  const isOpen = found.length > 0 && !isChosen
  const { selectFirstOption } = combobox
  useEffect(() => {
    if (isOpen) selectFirstOption()
  }, [isOpen, begin, selectFirstOption])
  const insert = (name: string) => {
    const caret = input.current!.selectionStart
    const before = value.slice(0, caret - begin!.length)
    onChange(`${before}${name} ${value.slice(caret)}`)
    setBegin(undefined)
    const place = before.length + name.length + 1
    requestAnimationFrame(() => input.current?.setSelectionRange(place, place))
  }
  const follow = (text: string, caret: number) => {
    setBegin(typedName(text, caret))
  }
  return (
    <Combobox store={{ ...combobox, dropdownOpened: isOpen }} onOptionSubmit={insert} withinPortal={false}>
      <Combobox.Target withKeyboardNavigation={isOpen}>
        <Textarea
          {...rest}
          ref={input}
          autosize
          minRows={3}
          style={{ gridColumn: '1 / -1' }}
          value={value}
          onChange={(event) => {
            onChange(event.currentTarget.value)
            follow(event.currentTarget.value, event.currentTarget.selectionStart)
          }}
          onBlur={() => setBegin(undefined)}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t('field.fullName')}>
          {found.map((name) => (
            <Combobox.Option key={name} value={name}>
              {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
