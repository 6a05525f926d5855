import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/session.ts'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { Page } from '../../widgets/page.tsx'
import { CaseRows } from './case-rows.tsx'
import { RegisterCase } from './register-case.tsx'

export default function CaseList() {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write')
  const navigate = useNavigate()
  const [registering, setRegistering] = useState(false)
  return (
    <Page
      title={t('navigation.cases')}
      actions={
        mayWrite && (
          <Button
            data-main-action
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setRegistering(true)}
          >
            {t('case.new')}
          </Button>
        )
      }
    >
      <CaseRows
        name="cases"
        columns={[
          'caseNumber',
          'mainDebtorName',
          'clientName',
          'status',
          'registrationDate',
          'originalSum',
          'remainingSum',
        ]}
        sort="registrationDate desc"
        emptyAction={mayWrite && <FirstButton onClick={() => setRegistering(true)} />}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('worklist.open'), filter: 'closureDate eq null' },
          { label: t('worklist.closed'), filter: 'closureDate ne null' },
        ]}
      />
      {registering && (
        <RegisterCase
          onClose={() => setRegistering(false)}
          onDone={(caseGuid) =>
            void navigate({ to: '/cases/$caseGuid', params: { caseGuid }, ignoreBlocker: true })
          }
        />
      )}
    </Page>
  )
}
