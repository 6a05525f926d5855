import { Badge, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LetterTemplate } from '../../../../contract/collection/letter-templates.ts'
import { reading } from '../../api/queries.ts'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

interface VariableListProps {
  kind: LetterTemplate['kind']
  language: LetterTemplate['languageCode']
  /** The text, to say what it lacks. */
  used: string
  onChoose: (name: string) => void
}

/** What can be written into the letter, with its meaning. A press writes it at the caret. */
export function VariableList({ kind, language, used, onChoose }: VariableListProps) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState('')
  const { data, error } = useQuery(reading('getTemplateHelp', { kind, languageCode: language }))
  const found = data?.body.variables.filter(({ name, meaning }) =>
    `${name} ${meaning}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  return (
    <>
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton />}
      {data && (
        <>
          <TextInput
            type="search"
            size="xs"
            mb="xs"
            aria-label={t('templates.findVariable')}
            placeholder={t('templates.findVariable')}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <ul className="template-variables">
            {found!.map(({ name, meaning, example, isRequired }) => (
              <li key={name}>
                <button type="button" onClick={() => onChoose(name)}>
                  <code>#{name}</code>{' '}
                  {isRequired && !new RegExp(`#${name}(?![\\p{L}\\p{N}_-])`, 'u').test(used) && (
                    <Badge size="sm" variant="light" color="yellow" tt="none" fw={500}>
                      {t('templates.required')}
                    </Badge>
                  )}
                  <Text span size="sm" display="block">
                    {meaning}
                  </Text>
                  {example !== '' && (
                    <Text span size="xs" c="dimmed" display="block">
                      {example}
                    </Text>
                  )}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
