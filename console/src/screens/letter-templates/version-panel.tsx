import { Badge, Button, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LetterTemplate } from '../../../../contract/collection/letter-templates.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { EmptyState } from '../../widgets/empty/empty-state.tsx'
import { Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { CompareDialog } from './compare-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'

type Open = { what: 'compare' | 'return'; number: number }

/** What was published, when and by whom; to compare, and to return to. */
export function VersionPanel({ template, actions }: { template: LetterTemplate; actions: ReactNode }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const { versions } = template
  const close = () => setOpen(undefined)
  return (
    <Panel title={t('templates.versions')} actions={actions}>
      {versions.length === 0 ? (
        <EmptyState text={t('templates.noVersions')} />
      ) : (
        <Versions template={template} onOpen={setOpen} />
      )}
      {open?.what === 'compare' && <CompareDialog template={template} number={open.number} onClose={close} />}
      {open?.what === 'return' && <PublishDialog template={template} number={open.number} onClose={close} />}
    </Panel>
  )
}

function Versions({ template, onOpen }: { template: LetterTemplate; onOpen: (open: Open) => void }) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('templates.versions')}>
      <thead>
        <tr>
          <th scope="col">{t('templates.versionColumn')}</th>
          <th scope="col">{t('templates.publishedAt')}</th>
          <th scope="col">{t('templates.publishedBy')}</th>
          <th scope="col">{t('templates.note')}</th>
          <th scope="col">{t('templates.actions')}</th>
        </tr>
      </thead>
      <tbody>
        {template.versions.map(({ number, publishedAt, publishedBy, note }) => (
          <tr key={number}>
            <td>
              {formatNumber(number)}{' '}
              {number === template.versionInForce && (
                <Badge variant="light" color="teal" tt="none" fw={500}>
                  {t('templates.inForce')}
                </Badge>
              )}
            </td>
            <td>{formatDateTime(publishedAt)}</td>
            <td>{publishedBy}</td>
            <td style={{ whiteSpace: 'normal' }}>
              <Text size="sm">{note ?? '–'}</Text>
            </td>
            <td>
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('templates.compareThis', { number: formatNumber(number) })}
                  onClick={() => onOpen({ what: 'compare', number })}
                >
                  {t('templates.compare')}
                </Button>
                {number !== template.versionInForce && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('templates.return', { number: formatNumber(number) })}
                    onClick={() => onOpen({ what: 'return', number })}
                  >
                    {t('templates.returnShort')}
                  </Button>
                )}
              </Group>
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
