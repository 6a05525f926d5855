import { ActionIcon, Badge, Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rateSeries } from '../../../../core/reference-rates.ts'
import { InterestRateListItem } from '../../../../contract/interest-rates.ts'
import { shippedFees } from '../../../../core/statutory-fees.ts'
import { refresh } from '../../api/queries.ts'
import type { FormValues } from '../../forms/definition.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { labelOf } from '../../texts/labels.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page, Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

/** Reference rates, which an administrator adds to and corrects, and the fees that are shipped, each with where it is published. */
export default function RatesPage() {
  const { t } = useTranslation()
  const mayWrite = useMay('system.admin')
  const [country, setCountry] = useState(rateSeries[0]!.code)
  const [adding, setAdding] = useState<FormValues>()
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
            <Button
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => setAdding({ interestSeries: country })}
            >
              {t('rates.new')}
            </Button>
          )}
        </Group>
      }
    >
      <Rates country={country} onCorrect={mayWrite ? (rate) => setAdding(valuesOf(rate)) : undefined} />
      <Fees country={country} />
      {adding && (
        <FormDialog
          title={t('rates.new')}
          entity="interestrate"
          type="create"
          place={{}}
          preset={adding}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('listInterestRates')
            setAdding(undefined)
          }}
          onClose={() => setAdding(undefined)}
        />
      )}
    </Page>
  )
}

/** What the form opens with on a rate that is corrected: the same series and day is replaced. */
const valuesOf = ({ interestSeries, validFrom, rate, source }: InterestRateListItem): FormValues => ({
  interestSeries,
  rate,
  ...(validFrom !== null && { validFrom }),
  ...(source !== null && { source }),
})

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

interface RatesProps {
  country: string
  /** Opens the form on a rate; undefined for those who may not. */
  onCorrect: ((rate: InterestRateListItem) => void) | undefined
}

function Rates({ country, onCorrect }: RatesProps) {
  const { t } = useTranslation()
  const series = rateSeries.find(({ code }) => code === country)
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {series?.law}
      </Text>
      <DataList<InterestRateListItem>
        operation="listInterestRates"
        name="rates"
        row={InterestRateListItem}
        always={`interestSeries eq '${country}'`}
        keyOf={({ interestSeries, validFrom }) => `${interestSeries} ${validFrom}`}
        columns={['validFrom', 'rate', 'source', 'unverified', 'edited']}
        cells={{
          rate: ({ rate }) => `${rate} %`,
          unverified: ({ unverified }) => <Unverified unverified={unverified} />,
        }}
        sort="validFrom desc"
        {...(onCorrect && {
          rowAction: (rate: InterestRateListItem) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('rates.correct', { name: formatDateTime(rate.validFrom) })}
              onClick={() => onCorrect(rate)}
            >
              <Icon name="edit" size={16} />
            </ActionIcon>
          ),
        })}
        empty={t('rates.none')}
      />
    </>
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
