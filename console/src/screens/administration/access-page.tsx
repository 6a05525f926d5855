import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AccessGroupListItem } from '../../../../contract/access-groups.ts'
import { lookUp } from '../../forms/server-form.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { RecordPage } from './record-page.tsx'

const useLookup = (code: string) =>
  useQuery({ queryKey: ['lookup', code, ''], queryFn: ({ signal }) => lookUp(code, '', signal) })

/** Sets of access codes that the agency names for itself, and what each code opens. */
export default function AccessPage() {
  const { t } = useTranslation()
  return (
    <RecordPage<AccessGroupListItem>
      title={t('navigation.access')}
      newText={t('access.new')}
      entity="accessgroup"
      write="user.admin"
      operation="listAccessGroups"
      name="access-groups"
      row={AccessGroupListItem}
      keyOf={({ accessGroupGuid }) => accessGroupGuid}
      nameOf={({ code }) => code}
      columns={['code', 'name', 'users']}
      quick="code"
      sort="code"
      empty={t('access.none')}
    >
      <CodePanel />
    </RecordPage>
  )
}

function CodePanel() {
  const { t } = useTranslation()
  const { data, error } = useLookup('accesscode')
  return (
    <Panel title={t('access.codes')}>
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={3} />}
      <dl className="facts">
        {data?.map(({ key, text }) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt className="code">{key}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
