import { Badge, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Debtor, debtorFields } from '../../../../contract/parties/debtors.ts'
import { reading } from '../../api/queries.ts'
import { readListFields } from '../../lists/list-fields.ts'
import { useMay } from '../../session/session.ts'
import { Facts } from '../../widgets/facts.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { DebtorCases } from './debtor-cases.tsx'
import { AddressPanel } from './address-panel.tsx'
import { AttachmentPanel } from '../attachments/attachment-panel.tsx'
import { CallPanel } from '../calls/call-panel.tsx'
import { NotePanel } from '../cases/note-panel.tsx'
import { LetterPanel } from '../letters/letter-panel.tsx'
import { PayButton } from '../payments/pay-button.tsx'
import { PlanPanel } from '../plans/plan-panel.tsx'
import { ExtraFieldPanel } from './extra-field-panel.tsx'
import { FavoriteStar } from './favorite-star.tsx'
import { DebtorTimeline } from './debtor-timeline.tsx'

const dictionary = readListFields({ properties: debtorFields })
const contact = [
  'cellularPhone',
  'homePhone',
  'workPhone',
  'email',
  'telefax',
  'languageCode',
  'currencyCode',
  'preferredChannel',
  'conversationNotificationChannel',
  'conversationNotificationEmail',
  'conversationNotificationCellularPhone',
]
const identity = [
  'debtorReference',
  'idNumber',
  'juridicalType',
  'dateOfBirth',
  'gender',
  'placeOfBirth',
  'vatNumber',
  'naceCode',
  'domicile',
  'municipalCode',
  'regDate',
]
/** In the title, or in the form alone. */
const elsewhere = [
  'fullName',
  'firstname',
  'middlename',
  'lastname',
  'nameSuffix',
  'underAged',
  'cultureCode',
]
const placed = new Set([...contact, ...identity, ...elsewhere, 'debtorGuid', 'links'])
/** A member that was added to the dictionary, and to no panel. */
const others = Object.keys(Debtor.properties).filter((name) => !placed.has(name))

export default function DebtorPage() {
  const { t } = useTranslation()
  const { debtorGuid } = useParams({ from: '/debtors/$debtorGuid' })
  const mayCases = useMay('case.read')
  const mayPlans = useMay('paymentplan.read')
  const mayWrite = useMay('debtor.write')
  const mayPay = useMay('payment.write')
  const { data, error } = useQuery(reading('getDebtor', { debtorGuid }))
  // Keeps showing the old data when a reload fails: a dialog over it may have input.
  if (error && !data)
    return (
      <Page title={t('navigation.debtors')}>
        <ProblemAlert error={error} />
      </Page>
    )
  const debtor = data?.body
  return (
    <Page
      title={debtor?.fullName ?? t('debtor.title')}
      about={debtor && <DebtorLine debtor={debtor} />}
      mark={debtor && <FavoriteStar guid={debtor.debtorGuid} type="3" name={debtor.fullName ?? ''} />}
      actions={
        debtor && (
          <>
            {mayWrite && <EditButton debtorGuid={debtorGuid} />}
            {mayPay && mayCases && <PayButton debtorGuid={debtorGuid} debtorName={debtor.fullName} />}
          </>
        )
      }
    >
      {mayCases && <DebtorCases debtorGuid={debtorGuid} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack gap="md">
          <Panel title={t('group.identity')}>
            {debtor ? (
              <Facts fields={dictionary} names={[...identity, ...others]} record={debtor} />
            ) : (
              <LinesSkeleton lines={6} />
            )}
          </Panel>
          <Panel title={t('group.contact')}>
            {debtor ? (
              <Facts fields={dictionary} names={contact} record={debtor} />
            ) : (
              <LinesSkeleton lines={5} />
            )}
          </Panel>
          <ExtraFieldPanel debtorGuid={debtorGuid} />
        </Stack>
        <Stack gap="md">
          {mayPlans && <PlanPanel debtorGuid={debtorGuid} />}
          {mayCases && <LetterPanel debtorGuid={debtorGuid} />}
          <NotePanel about={{ debtorGuid }} />
          {mayCases && <CallPanel about={{ debtorGuid }} />}
          <AttachmentPanel about={{ debtorGuid }} />
          <AddressPanel debtorGuid={debtorGuid} />
          <Panel title={t('timeline.title')}>
            <DebtorTimeline debtorGuid={debtorGuid} />
          </Panel>
        </Stack>
      </SimpleGrid>
    </Page>
  )
}

function DebtorLine({ debtor }: { debtor: Debtor }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" component="span">
      {[debtor.debtorReference, debtor.idNumber].filter(Boolean).join(' · ')}
      {debtor.underAged === true && (
        <Badge color="yellow" variant="light">
          {t('debtor.underAged')}
        </Badge>
      )}
    </Group>
  )
}

function EditButton({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      component={Link}
      to={`/debtors/${debtorGuid}/edit` as '/'}
      leftSection={<Icon name="edit" size={15} />}
    >
      {t('action.edit')}
    </Button>
  )
}
