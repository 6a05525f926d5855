import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AllCasesItem } from '../../../../contract/cases/all-cases.ts'
import { amounts } from '../../../../contract/cases/cases.ts'
import { ClientDetail } from '../../../../contract/parties/clients.ts'
import { reading, refresh } from '../../api/queries.ts'
import { DataList } from '../../lists/data-list.tsx'
import { readListFields } from '../../lists/list-fields.ts'
import { useMay } from '../../session/session.ts'
import { codeLabel } from '../../texts/labels.ts'
import { Facts } from '../../widgets/facts.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { StatusBadge } from '../cases/status-badge.tsx'
import { FavoriteStar } from '../debtors/favorite-star.tsx'
import { StrategyPanel } from './strategy-panel.tsx'

/** Lists as text, and the party above by its name. */
const dictionary = readListFields({
  properties: {
    ...ClientDetail.properties,
    services: { type: 'string' },
    fees: { type: 'string' },
    freeMonths: { type: 'string' },
  },
})
const listTexts = ({ services, fees, freeMonths, parentPartyName, ...client }: ClientDetail) => ({
  parentPartyReferenceCode: parentPartyName ?? client.parentPartyReferenceCode,
  services: services?.map((code) => codeLabel('services', code)).join(', '),
  fees: fees?.join(', '),
  freeMonths: freeMonths?.join(', '),
})
const identity = ['name', 'partyReferenceCode', 'parentPartyReferenceCode', 'countryCode', 'currencyCode']
const terms = [
  'interestRate',
  'interestSeries',
  'interestPoints',
  'interestDayCount',
  'allocationOrder',
  'tolerance',
  'bankAccountNo',
  'claimKind',
  'services',
  'fees',
  'lettersByEmail',
]
const planTerms = [
  'firstDueDays',
  'intervalType',
  'graceDays',
  'missesToBreach',
  'registrationFee',
  'invoiceFee',
  'reminderFee',
  'freeMonths',
  'businessDays',
  'evenPayments',
  'closingPayment',
]
const editing = { edit: 'client.edit', terms: 'client.editTerms', planterms: 'client.editPlanTerms' } as const

export default function ClientPage() {
  const { t } = useTranslation()
  const { clientGuid } = useParams({ from: '/clients/$clientGuid' })
  const mayWrite = useMay('client.write')
  const mayCases = useMay('case.read')
  const [open, setOpen] = useState<keyof typeof editing>()
  const { data, error } = useQuery(reading('getClient', { clientGuid }))
  // Keeps showing the old data when a reload fails: a dialog over it may have input.
  if (error && !data)
    return (
      <Page title={t('navigation.clients')}>
        <ProblemAlert error={error} />
      </Page>
    )
  const client = data?.body
  const shown = client && { ...client, ...listTexts(client) }
  const change = (what: keyof typeof editing) =>
    mayWrite && (
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="edit" size={14} />}
        onClick={() => setOpen(what)}
        aria-label={t(editing[what])}
      >
        {t('action.edit')}
      </Button>
    )
  return (
    <Page
      title={client?.name ?? t('client.title')}
      about={client?.partyReferenceCode ?? ' '}
      mark={client && <FavoriteStar guid={clientGuid} type="2" name={client.name ?? ''} />}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Panel title={t('client.title')} actions={change('edit')}>
            {shown ? (
              <Facts fields={dictionary} names={identity} record={shown} entity="client" />
            ) : (
              <LinesSkeleton />
            )}
          </Panel>
          <Panel title={t('client.terms')} actions={change('terms')}>
            {shown ? (
              <Facts fields={dictionary} names={terms} record={shown} none={t('client.noTerms')} />
            ) : (
              <LinesSkeleton />
            )}
          </Panel>
          <StrategyPanel client={client} />
          <Panel title={t('client.planTerms')} actions={change('planterms')}>
            {shown ? (
              <Facts fields={dictionary} names={planTerms} record={shown} none={t('client.noTerms')} />
            ) : (
              <LinesSkeleton />
            )}
          </Panel>
        </SimpleGrid>
        {mayCases && (
          <DataList<AllCasesItem>
            operation="listAllCases"
            sums={amounts}
            name="client-cases"
            row={AllCasesItem}
            always={`clientGuid eq ${clientGuid}`}
            getKey={({ caseGuid }) => caseGuid}
            columns={['caseNumber', 'mainDebtorName', 'status', 'registrationDate', 'remainingSum']}
            link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
            cells={{ status: (row) => <StatusBadge {...row} /> }}
            quick="mainDebtorName"
            sort="registrationDate desc"
            empty={t('case.none')}
          />
        )}
      </Stack>
      {open && (
        <FormDialog
          title={t(editing[open])}
          entity="client"
          type={open}
          place={{ id: clientGuid }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('getClient', 'listClients')
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}
