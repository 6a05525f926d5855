import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { AccessGroupListItem } from '../../../../contract/access/access-groups.ts'
import { reading } from '../../api/queries.ts'
import { lookUp } from '../../forms/server-form.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { RecordPage } from './record-page.tsx'

/** Loaded separately: it needs the whole contract, which no other screen does. */
const AccessMatrix = lazy(() => import('./access-matrix.tsx'))

const useLookup = (code: string) =>
  useQuery({ queryKey: ['lookup', code, ''], queryFn: ({ signal }) => lookUp(code, '', signal) })

/** The agency's access groups, and what each role, group and access code allows. */
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
      getKey={({ accessGroupGuid }) => accessGroupGuid}
      getName={({ code }) => code}
      columns={['code', 'name', 'users']}
      quick="code"
      sort="code"
      empty={t('access.none')}
    >
      <MatrixPanel />
      <CodePanel />
    </RecordPage>
  )
}

function MatrixPanel() {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('listAccessGroups', { $orderby: 'name', $top: 100 }))
  return (
    <Panel title={t('access.matrix')}>
      <ProblemAlert error={error} />
      <Suspense fallback={<LinesSkeleton lines={12} />}>
        {data && <AccessMatrix groups={data.body.value} />}
      </Suspense>
    </Panel>
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
