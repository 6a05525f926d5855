import { Badge, Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rateSeries, shippedRates } from '../../../../core/reference-rates.ts'
import { shippedFees } from '../../../../core/statutory-fees.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { labelOf } from '../../texts/labels.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page, Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

/** The reference rates and fees that are shipped, each with where it is published; an administrator adds what is newer. */
export default function RatesPage() {
  const { t } = useTranslation()
  const mayWrite = useMay('system.admin')
  const [country, setCountry] = useState(rateSeries[0]!.code)
  const [adding, setAdding] = useState(false)
  return (
    <Page
      title={t('navigation.rates')}
      about={t('rates.about')}
      actions={
        <Group>
          <Select
            aria-label={t('field.countryCode')}
            w={220}
            data={rateSeries.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }))}
            value={country}
            allowDeselect={false}
            onChange={(next) => setCountry(next!)}
          />
          {mayWrite && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
              {t('rates.new')}
            </Button>
          )}
        </Group>
      }
    >
      <Rates country={country} />
      <Fees country={country} />
      {adding && (
        <FormDialog
          title={t('rates.new')}
          entity="interestrate"
          type="create"
          place={{}}
          preset={{ interestSeries: country }}
          onDone={() => {
            noticeDone(t('form.stored'))
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  )
}

function Unverified({ unverified }: { unverified: boolean }) {
  const { t } = useTranslation()
  if (!unverified) return null
  return (
    <Badge color="yellow" variant="light" size="sm" tt="none">
      {t('rates.unverified')}
    </Badge>
  )
}

const wrapped = { whiteSpace: 'normal', minWidth: '18rem' } as const

function Rates({ country }: { country: string }) {
  const { t } = useTranslation()
  const series = rateSeries.find(({ code }) => code === country)!
  return (
    <Panel title={t('rates.rates')}>
      <Text size="sm" c="dimmed" mb="xs">
        {series.law}
      </Text>
      <TableFrame title={t('rates.rates')}>
        <thead>
          <tr>
            <th scope="col">{t('field.validFrom')}</th>
            <th scope="col" className="amount">
              {t('rates.percent')}
            </th>
            <th scope="col">{t('rates.source')}</th>
          </tr>
        </thead>
        <tbody>
          {shippedRates
            .filter(({ series: code }) => code === country)
            .toReversed()
            .map((row) => (
              <tr key={row.from}>
                <td>{formatDateTime(row.from)}</td>
                <td className="amount">{row.rate} %</td>
                <td style={wrapped}>
                  <Unverified unverified={row.unverified} /> {row.source}
                </td>
              </tr>
            ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}

function Fees({ country }: { country: string }) {
  const { t } = useTranslation()
  const fees = shippedFees.filter((fee) => fee.country === country)
  if (fees.length === 0) return null
  return (
    <Panel title={t('rates.fees')}>
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
          </tr>
        </thead>
        <tbody>
          {fees.map((fee, index) => (
            <tr key={index}>
              <td style={wrapped}>
                {labelOf(`code.feeType.${fee.type}`, fee.type)}
                <Text size="xs" c="dimmed">
                  {[fee.stage, fee.condition].filter(Boolean).join(' · ')}
                </Text>
              </td>
              <td className="amount">
                {fee.amount === null ? '–' : formatMoney(Number(fee.amount), fee.currency)}
              </td>
              <td>{formatDateTime(fee.from)}</td>
              <td>{formatDateTime(fee.to)}</td>
              <td style={wrapped}>
                <Unverified unverified={fee.unverified} /> {fee.source}
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}
