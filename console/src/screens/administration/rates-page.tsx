import { Badge, Button, Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InterestRateListItem } from '../../../../contract/ledger/interest-rates.ts'
import type { StatutoryFee } from '../../../../contract/ledger/statutory-fees.ts'
import { rateSeries } from '../../../../core/interest/reference-rates.ts'
import { reading, refresh } from '../../api/queries.ts'
import type { FormValues } from '../../forms/definition.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { describeNote, describeSource } from './fee-notes.ts'

/** The open form, with preset values or the record to change. */
interface Asked {
  title: 'rates.new' | 'rates.editRate' | 'rates.newFee' | 'rates.editFee'
  entity: 'interestrate' | 'statutoryfee'
  type: 'create' | 'edit'
  place: { id?: string }
  preset?: FormValues
}

/** Reference rates and fees with their sources. Administrators add newer rates and correct fees. */
export default function RatesPage() {
  const { t } = useTranslation()
  const mayWrite = useMay('system.admin')
  const [country, setCountry] = useState(rateSeries[0]!.code)
  const [asked, setAsked] = useState<Asked>()
  const newRate = (): Asked => ({
    title: 'rates.new',
    entity: 'interestrate',
    type: 'create',
    place: {},
    preset: { interestSeries: country },
  })
  return (
    <Page
      title={t('navigation.rates')}
      about={t('rates.about')}
      actions={
        <Group>
          <Select
            aria-label={t('field.countryCode')}
            w={320}
            maw="100%"
            data={rateSeries.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }))}
            value={country}
            allowDeselect={false}
            onChange={(next) => setCountry(next!)}
          />
          {mayWrite && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAsked(newRate())}>
              {t('rates.new')}
            </Button>
          )}
        </Group>
      }
    >
      <Rates country={country} {...(mayWrite && { onAsk: setAsked })} />
      <Fees country={country} {...(mayWrite && { onAsk: setAsked })} />
      {asked && (
        <FormDialog
          title={t(asked.title)}
          entity={asked.entity}
          type={asked.type}
          place={asked.place}
          {...(asked.preset && { preset: asked.preset })}
          onDone={() => {
            noticeDone(t('form.stored'))
            setAsked(undefined)
            void refresh('listInterestRates', 'listStatutoryFees')
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  )
}

function Source({ source, unverified, edited }: Pick<StatutoryFee, 'source' | 'unverified' | 'edited'>) {
  const { t } = useTranslation()
  return (
    <td style={wrapped}>
      {unverified && (
        <Badge color="yellow" variant="light" size="sm" tt="none">
          {t('rates.unverified')}
        </Badge>
      )}
      {edited && (
        <Badge color="blue" variant="light" size="sm" tt="none">
          {t('rates.edited')}
        </Badge>
      )}{' '}
      {describeSource(source ?? '')}
    </td>
  )
}

const wrapped = { whiteSpace: 'normal', minWidth: '18rem' } as const
/** The newest first, as many as fit on a page. */
const newest = { $orderby: 'validFrom desc', $top: 100 }

function Rates({ country, onAsk }: { country: string; onAsk?: (asked: Asked) => void }) {
  const { t } = useTranslation()
  const series = rateSeries.find(({ code }) => code === country)!
  const $filter = `interestSeries eq '${country}'`
  const { data, error } = useQuery(reading('listInterestRates', { ...newest, $filter }))
  return (
    <Panel title={t('rates.rates')}>
      <Text size="sm" c="dimmed" mb="xs">
        {describeSource(series.law)}
      </Text>
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton />}
      <TableFrame title={t('rates.rates')}>
        <thead>
          <tr>
            <th scope="col">{t('field.validFrom')}</th>
            <th scope="col" className="amount">
              {t('rates.percent')}
            </th>
            <th scope="col">{t('rates.source')}</th>
            {onAsk && <EditHead />}
          </tr>
        </thead>
        <tbody>
          {data?.body.value.map((row) => (
            <tr key={row.interestRateGuid}>
              <td>{formatDateTime(row.validFrom)}</td>
              <td className="amount">{formatNumber(row.rate, 6)} %</td>
              <Source {...row} />
              {onAsk && <EditCell edit={editRequest(row)} of={formatDateTime(row.validFrom)} onAsk={onAsk} />}
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}

const editRequest = ({ interestRateGuid }: InterestRateListItem): Asked => ({
  title: 'rates.editRate',
  entity: 'interestrate',
  type: 'edit',
  place: { id: interestRateGuid },
})

function Fees({ country, onAsk }: { country: string; onAsk?: (asked: Asked) => void }) {
  const { t } = useTranslation()
  const $filter = `countryCode eq '${country}'`
  const { data, error } = useQuery(reading('listStatutoryFees', { ...newest, $filter }))
  const create: Asked = {
    title: 'rates.newFee',
    entity: 'statutoryfee',
    type: 'create',
    place: {},
    preset: { countryCode: country },
  }
  return (
    <Panel
      title={t('rates.fees')}
      actions={
        onAsk && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => onAsk(create)}
          >
            {t('rates.newFee')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error} />
      <TableFrame title={t('rates.fees')}>
        <thead>
          <tr>
            <th scope="col">{t('rates.fee')}</th>
            <th scope="col" className="amount">
              {t('plan.amount')}
            </th>
            <th scope="col">{t('field.validFrom')}</th>
            <th scope="col">{t('field.validTo')}</th>
            <th scope="col">{t('rates.source')}</th>
            {onAsk && <EditHead />}
          </tr>
        </thead>
        <tbody>
          {data?.body.value.map((fee) => (
            <Fee key={fee.statutoryFeeGuid} fee={fee} {...(onAsk && { onAsk })} />
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}

function EditHead() {
  const { t } = useTranslation()
  return (
    <th scope="col">
      <span className="visually-hidden">{t('action.edit')}</span>
    </th>
  )
}

function EditCell({ edit, of, onAsk }: { edit: Asked; of: string; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation()
  return (
    <td>
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => onAsk(edit)}
        aria-label={`${t(edit.title)}: ${of}`}
      >
        {t('action.edit')}
      </Button>
    </td>
  )
}

function Fee({ fee, onAsk }: { fee: StatutoryFee; onAsk?: (asked: Asked) => void }) {
  const edit: Asked = {
    title: 'rates.editFee',
    entity: 'statutoryfee',
    type: 'edit',
    place: { id: fee.statutoryFeeGuid },
  }
  const name = translateLabel(`lookup.feetype.${fee.feeType}`, fee.feeType ?? '')
  const money = (amount: number) => formatMoney(amount, fee.currencyCode ?? '')
  const bounds = [
    fee.principalAbove !== null && `> ${money(fee.principalAbove)}`,
    fee.principalUpTo !== null && `≤ ${money(fee.principalUpTo)}`,
  ]
  return (
    <tr>
      <td style={wrapped}>
        {name}
        <Text size="xs" c="dimmed">
          {[describeNote(fee.stage), ...bounds, describeNote(fee.condition)].filter(Boolean).join(' · ')}
        </Text>
      </td>
      <td className="amount">{fee.amount === null ? '–' : money(fee.amount)}</td>
      <td>{formatDateTime(fee.validFrom)}</td>
      <td>{formatDateTime(fee.validTo)}</td>
      <Source {...fee} />
      {onAsk && <EditCell edit={edit} of={`${name}, ${formatDateTime(fee.validFrom)}`} onAsk={onAsk} />}
    </tr>
  )
}
