import { Anchor, Badge, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LetterTemplateItem } from '../../../../contract/collection/letter-templates.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { EmptyState } from '../../widgets/empty/empty-state.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { NewTemplate } from './new-template.tsx'
import { languageName } from './template-names.ts'

/** The templates of letters by kind, language and client: few enough to load all at once. */
export default function TemplateList() {
  const { t } = useTranslation()
  const [isNew, setNew] = useState(false)
  const { data, error } = useQuery(reading('listLetterTemplates'))
  const rows = data?.body.value
  const add = (
    <Button data-main-action leftSection={<Icon name="plus" size={16} />} onClick={() => setNew(true)}>
      {t('templates.new')}
    </Button>
  )
  return (
    <Page title={t('templates.title')} about={t('templates.about')} actions={add}>
      <ProblemAlert error={error} />
      <Panel title={t('templates.title')}>
        {!rows && !error && <LinesSkeleton />}
        {rows?.length === 0 && <EmptyState text={t('templates.none')} />}
        {rows !== undefined && rows.length > 0 && <Table rows={rows} />}
      </Panel>
      {isNew && <NewTemplate onClose={() => setNew(false)} />}
    </Page>
  )
}

function Table({ rows }: { rows: readonly LetterTemplateItem[] }) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('templates.title')}>
      <thead>
        <tr>
          <th scope="col">{t('templates.letter')}</th>
          <th scope="col">{t('templates.language')}</th>
          <th scope="col">{t('templates.client')}</th>
          <th scope="col">{t('templates.inForce')}</th>
          <th scope="col">{t('templates.draft')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((one) => (
          <tr key={one.letterTemplateGuid}>
            <td>
              <Anchor
                renderRoot={(props) => (
                  <Link
                    to="/letter-templates/$letterTemplateGuid"
                    params={{ letterTemplateGuid: one.letterTemplateGuid }}
                    {...props}
                  />
                )}
              >
                {translateLabel(`lookup.letterkind.${one.kind}`, one.kind)}
              </Anchor>
            </td>
            <td>{languageName(one.languageCode)}</td>
            <td>{one.clientName ?? t('templates.allClients')}</td>
            <td>
              <InForce template={one} />
            </td>
            <td>
              {one.hasDraft && (
                <Text size="sm">
                  <Badge variant="light" color="yellow" tt="none" fw={500}>
                    {t('templates.unpublished')}
                  </Badge>{' '}
                  {formatDateTime(one.draftAt)}
                </Text>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

function InForce({ template }: { template: LetterTemplateItem }) {
  const { t } = useTranslation()
  const { versionInForce, publishedAt, publishedBy } = template
  if (versionInForce === null) return <Text size="sm">{t('templates.shipped')}</Text>
  const about = [
    t('templates.version', { number: formatNumber(versionInForce) }),
    formatDateTime(publishedAt),
  ]
  return <Text size="sm">{[...about, publishedBy ?? ''].filter(Boolean).join(' · ')}</Text>
}
