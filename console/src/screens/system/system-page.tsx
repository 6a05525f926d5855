import { Anchor, List } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SystemInformation } from '../../../../contract/metadata/system.ts'
import { reading } from '../../api/queries.ts'
import type { ListField } from '../../lists/list-fields.ts'
import { isLanguage, languages } from '../../texts/languages.ts'
import { Facts } from '../../widgets/facts.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

const names = Object.keys(SystemInformation.properties)
const findKind = (name: string): ListField['kind'] => {
  if (name === 'sandbox') return 'boolean'
  return /^(validUntil|systemDate)/.test(name) ? 'date' : 'text'
}
const fields = names.map((name): ListField => ({
  name,
  title: name,
  kind: findKind(name),
  choices: [],
  filterable: false,
}))

/** The languages by their own names. */
const nameLanguages = (codes: string): string =>
  codes
    .split(',')
    .map((code) => (isLanguage(code) ? languages[code] : code))
    .join(', ')

export default function SystemPage() {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('getSystemInformation'))
  return (
    <Page title={t('navigation.system')}>
      <Panel title={t('system.information')}>
        <ProblemAlert error={error} />
        {data ? (
          <Facts
            fields={fields}
            names={names}
            record={{ ...data.body, languages: nameLanguages(data.body.languages) }}
          />
        ) : (
          !error && <LinesSkeleton lines={9} />
        )}
      </Panel>
      <Panel title={t('system.more')}>
        <List size="sm" spacing={4}>
          <List.Item>
            <Anchor size="sm" href="/docs">
              {t('shell.docs')}
            </Anchor>
          </List.Item>
          <List.Item>
            <Anchor size="sm" href="/reference">
              {t('shell.reference')}
            </Anchor>
          </List.Item>
          <List.Item>
            <Anchor size="sm" href="/problems">
              {t('system.problems')}
            </Anchor>
          </List.Item>
          <List.Item>
            <Anchor size="sm" href="/health/ready">
              {t('system.health')}
            </Anchor>
          </List.Item>
        </List>
      </Panel>
    </Page>
  )
}
