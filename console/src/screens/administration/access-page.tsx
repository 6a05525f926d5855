import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lookUp } from '../../forms/server-form.ts'
import { queryClient } from '../../api/queries.ts'
import { useMay } from '../../session/session.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

const useLookup = (code: string) =>
  useQuery({ queryKey: ['lookup', code, ''], queryFn: ({ signal }) => lookUp(code, '', signal) })

/** Sets of access codes that the agency names for itself, and what each code opens. */
export default function AccessPage() {
  const { t } = useTranslation()
  const mayWrite = useMay('user.admin')
  const [making, setMaking] = useState(false)
  return (
    <Page
      title={t('navigation.access')}
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
            {t('access.new')}
          </Button>
        )
      }
    >
      <LookupPanel title={t('navigation.access')} code="accessgroup" none={t('access.none')} />
      <LookupPanel title={t('access.codes')} code="accesscode" none="" />
      {making && (
        <FormDialog
          title={t('access.new')}
          entity="accessgroup"
          type="create"
          place={{}}
          onDone={() => {
            noticeDone(t('form.stored'))
            void queryClient.invalidateQueries({ queryKey: ['lookup', 'accessgroup'] })
            setMaking(false)
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  )
}

function LookupPanel({ title, code, none }: { title: string; code: string; none: string }) {
  const { data, error } = useLookup(code)
  return (
    <Panel title={title}>
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={3} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
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
