import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { reading } from '../../api/queries.ts'
import { readListFields } from '../../lists/list-fields.ts'
import { useMay } from '../../session/session.ts'
import { DayQuery } from '../../widgets/days/day-query.tsx'
import { CopyText } from '../../widgets/copy-text.tsx'
import { Facts } from '../../widgets/facts.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useIsNarrow } from '../../widgets/use-cards.ts'
import { FavoriteStar } from '../debtors/favorite-star.tsx'
import { Timeline } from '../debtors/timeline.tsx'
import { AttachmentPanel } from '../attachments/attachment-panel.tsx'
import { CallPanel } from '../calls/call-panel.tsx'
import { LetterPanel } from '../letters/letter-panel.tsx'
import { NextCase } from '../work/next-case.tsx'
import { WorkPanel } from '../work/work-panel.tsx'
import { AmountsPanel } from './amounts-panel.tsx'
import { CaseActions } from './case-actions.tsx'
import { CasePast } from './past/case-past.tsx'
import { CasePlanPanel } from './case-plan-panel.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { InvoicePanel } from './invoice-panel.tsx'
import { DemandPanel } from './demand-panel.tsx'
import { LawPanel } from './law-panel.tsx'
import { LimitationPanel } from './limitation-panel.tsx'
import { StatementPanel } from './statement/statement-panel.tsx'
import { NotePanel } from './note-panel.tsx'
import { ObjectionPanel } from './objection-panel.tsx'
import { PartyPanel } from './party-panel.tsx'
import { subStatusLabel, StatusBadge } from './status-badge.tsx'

const dictionary = readListFields(CaseByGuid)
const facts = [
  'service',
  'clientReferenceNumber',
  'registrationDate',
  'withheldFee',
  'claimKind',
  'limitationDate',
  'interruptedBy',
  'interruptedDate',
  'closureDate',
  'closureCode',
  'description',
]

export default function CasePage() {
  const { t } = useTranslation()
  const { caseGuid } = useParams({ from: '/cases/$caseGuid' })
  const handles = useMay('case.write')
  const today = useBusinessDate()
  const [day, setDay] = useState<string>()
  const { data, error } = useQuery(reading('getCaseByGuid', { caseGuid }))
  // Keeps showing the old data when a reload fails: a dialog over it may have input.
  if (error && !data)
    return (
      <Page title={t('navigation.cases')}>
        <ProblemAlert error={error} />
      </Page>
    )
  const record = data?.body
  return (
    <Page
      title={record ? t('case.title', { number: record.caseNumber }) : t('navigation.cases')}
      about={record ? <CaseLine record={record} /> : ' '}
      mark={record && <FavoriteStar guid={caseGuid} type="1" name={record.caseNumber} />}
      actions={
        record && (
          <>
            {handles && <NextCase key={caseGuid} caseGuid={caseGuid} />}
            <CaseActions record={record} />
          </>
        )
      }
    >
      <Group justify="flex-end" className="label-beside no-print">
        <DayQuery key={day} label={t('past.asOf')} day={day} max={today?.slice(0, 10)} onDay={setDay} />
      </Group>
      {day ? (
        <CasePast caseGuid={caseGuid} day={day} onLeave={() => setDay(undefined)} />
      ) : (
        <CaseToday caseGuid={caseGuid} record={record} />
      )}
    </Page>
  )
}

interface TodayProps {
  caseGuid: string
  record: CaseByGuid | undefined
}

/** In one column a handler's thumb meets the contact and the work before the statement. */
function CaseToday(props: TodayProps) {
  const isNarrow = useIsNarrow()
  const { caseGuid, record } = props
  const amounts = <AmountsPanel record={record} />
  const money = (
    <>
      <InvoicePanel record={record} />
      <StatementPanel caseGuid={caseGuid} />
    </>
  )
  if (isNarrow)
    return (
      <Stack gap="md">
        {amounts}
        <Handling {...props} />
        {money}
        <Details {...props} />
      </Stack>
    )
  return (
    <div className="case-columns">
      <Stack gap="md">
        {amounts}
        {money}
      </Stack>
      <Stack gap="md">
        <Handling {...props} />
        <Details {...props} />
      </Stack>
    </div>
  )
}

/** How the debtor is reached, and what is done. */
function Handling({ caseGuid, record }: TodayProps) {
  const handles = useMay('case.write')
  return (
    <>
      {record?.contact && <ContactPanel contact={record.contact} />}
      {record?.plan && <CasePlanPanel plan={record.plan} />}
      {handles && <WorkPanel caseGuid={caseGuid} hold={record?.hold ?? null} />}
      <CallPanel about={{ caseGuid }} />
      <NotePanel about={{ caseGuid }} />
      <AttachmentPanel about={{ caseGuid }} />
    </>
  )
}

function Details({ caseGuid, record }: TodayProps) {
  const { t } = useTranslation()
  const mayAudit = useMay('audit.read')
  return (
    <>
      <Panel title={t('case.details')}>
        {record ? (
          <>
            <PaymentReference record={record} />
            <Facts fields={dictionary} names={facts} record={record} />
          </>
        ) : (
          <LinesSkeleton lines={6} />
        )}
      </Panel>
      <PartyPanel record={record} />
      {record && <LetterPanel debtorGuid={record.mainDebtorGuid} caseGuid={caseGuid} />}
      <ObjectionPanel caseGuid={caseGuid} />
      {record && record.closureCode === null && (
        <LawPanel debtorGuid={record.mainDebtorGuid} caseGuid={caseGuid} />
      )}
      {record && <DemandPanel debtorGuid={record.mainDebtorGuid} caseGuid={caseGuid} />}
      <LimitationPanel caseGuid={caseGuid} />
      {mayAudit && (
        <Panel title={t('timeline.title')}>
          <Timeline guid={caseGuid} />
        </Panel>
      )}
    </>
  )
}

/** The debtor, the client and the status. */
function CaseLine({ record }: { record: CaseByGuid }) {
  return (
    <Group gap="xs" mt={4}>
      <StatusBadge {...record} />
      {record.subStatus !== record.hold && <Text size="sm">{subStatusLabel(record.subStatus)}</Text>}
      <Text size="sm" aria-hidden="true">
        ·
      </Text>
      <Anchor component={Link} to={`/debtors/${record.mainDebtorGuid}` as '/'} size="sm">
        {record.mainDebtorName}
      </Anchor>
      <Text size="sm" aria-hidden="true">
        ·
      </Text>
      <Anchor component={Link} to={`/clients/${record.clientGuid}` as '/'} size="sm">
        {record.clientName}
      </Anchor>
    </Group>
  )
}

function PaymentReference({ record }: { record: CaseByGuid }) {
  const { t } = useTranslation()
  if (!record.paymentReferenceNumber) return null
  return (
    <SimpleGrid cols={1} mb="sm">
      <CopyText label={t('field.paymentReferenceNumber')} text={record.paymentReferenceNumber} />
    </SimpleGrid>
  )
}
