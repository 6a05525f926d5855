import { Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { commands, type Command } from '../../../../contract/platform/commands.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { translateLabel } from '../../texts/labels.ts'
import { DayField } from '../../widgets/days/day-field.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'

interface CommandDialogProps {
  /** The command selected first. */
  first?: string
  onClose: () => void
}

/** Starts a system command in the background. */
export function CommandDialog({ first = 'day-end', onClose }: CommandDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(first)
  const [given, setGiven] = useState<Record<string, string>>({})
  const command = (commands as readonly Command[]).find((one) => one.command === name)!
  const run = async () => {
    await api.runCommand({
      command: name,
      body: { argument: command.arguments.map((argument) => given[argument.name] || null) },
    })
    noticeDone(t('command.begun'))
    void refresh('listJobs')
  }
  return (
    <WorkDialog title={t('command.run')} submit={t('command.start')} onSubmit={run} onClose={onClose}>
      <Select
        label={t('command.command')}
        data={commands.map((one) => ({
          value: one.command,
          label: translateLabel(`lookup.command.${one.command}`, one.command),
        }))}
        value={name}
        allowDeselect={false}
        data-autofocus
        onChange={(next) => {
          setName(next!)
          setGiven({})
        }}
      />
      <Text size="sm" c="dimmed">
        {translateLabel(`command.about.${command.command}`, command.description)}
      </Text>
      {command.arguments.map((argument) => {
        const label = translateLabel(`command.${argument.name}`, argument.name)
        const change = (value: string) => setGiven({ ...given, [argument.name]: value })
        return argument.values ? (
          <Select
            key={argument.name}
            label={label}
            data={[...argument.values]}
            value={given[argument.name] || null}
            clearable
            clearButtonProps={{ 'aria-label': t('form.clear', { field: label }) }}
            onChange={(value) => change(value ?? '')}
          />
        ) : argument.type === 'date' ? (
          <DayField
            key={argument.name}
            label={label}
            required={argument.required === true}
            value={given[argument.name] ?? ''}
            onChange={change}
          />
        ) : (
          <TextInput
            key={argument.name}
            label={label}
            required={argument.required === true}
            value={given[argument.name] ?? ''}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )
      })}
    </WorkDialog>
  )
}
