import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { commands, type Command } from '../../../../contract/platform/commands.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel, useLabels } from '../../texts/labels.ts'
import { Icon } from '../../widgets/icons.tsx'
import { Page, Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { CommandDialog } from './command-dialog.tsx'

/** The system commands (S11) and their arguments. */
export default function CommandList() {
  const { t } = useTranslation()
  useLabels()
  const mayRun = useMay('system.admin')
  const [asked, setAsked] = useState<string>()
  return (
    <Page title={t('navigation.commands')} about={t('command.about')}>
      <Panel title={t('navigation.commands')}>
        <TableFrame title={t('navigation.commands')}>
          <thead>
            <tr>
              <th scope="col">{t('command.command')}</th>
              <th scope="col">{t('field.description')}</th>
              <th scope="col">{t('command.takes')}</th>
              <th scope="col">
                <span className="visually-hidden">{t('list.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {(commands as readonly Command[]).map(({ command, description, arguments: takes }) => {
              const name = translateLabel(`lookup.command.${command}`, command)
              return (
                <tr key={command}>
                  <th scope="row">{name}</th>
                  <td style={{ whiteSpace: 'normal' }}>
                    {translateLabel(`command.about.${command}`, description)}
                  </td>
                  <td>{takes.map((one) => translateLabel(`command.${one.name}`, one.name)).join(', ')}</td>
                  <td>
                    {mayRun && takes.some((one) => one.name === 'file') && (
                      <Button size="compact-xs" variant="default" component={Link} to="/import">
                        {t('import.title')}
                      </Button>
                    )}
                    {mayRun && takes.every((one) => one.name !== 'file') && (
                      <Button
                        size="compact-xs"
                        variant="default"
                        leftSection={<Icon name="play" size={13} />}
                        aria-label={t('command.runThis', { name })}
                        onClick={() => setAsked(command)}
                      >
                        {t('command.start')}
                      </Button>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </TableFrame>
      </Panel>
      {asked !== undefined && <CommandDialog first={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  )
}
