/** The clients paid and left out, of a finished payout or of the next one. */
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PayoutDue } from '../../../../contract/treasury/payouts.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

type Line = PayoutDue['lines'][number]
type LeftOut = PayoutDue['leftOut'][number]

interface PaidClientsProps {
  lines: readonly Line[]
  currency: string
  amount: number
}

export function PaidClients({ lines, currency, amount }: PaidClientsProps) {
  const { t } = useTranslation()
  const title = t('payout.lines')
  return (
    <Panel title={title}>
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('payout.nobody')}
        </Text>
      ) : (
        <TableFrame title={title}>
          <Heads>
            <th scope="col">{t('field.account')}</th>
            <th scope="col" className="amount">
              {t('navigation.cases')}
            </th>
            <th scope="col" className="amount">
              {t('field.amount')}
            </th>
          </Heads>
          <tbody>
            {lines.map((line) => (
              <tr key={line.clientGuid}>
                <ClientName {...line} />
                <td>{line.account}</td>
                <td className="amount">{formatNumber(line.cases)}</td>
                <td className="amount">{formatMoney(line.amount, currency)}</td>
              </tr>
            ))}
            <tr data-sum>
              <th scope="row" colSpan={3}>
                {t('amounts.Sum')}
              </th>
              <td className="amount">{formatMoney(amount, currency)}</td>
            </tr>
          </tbody>
        </TableFrame>
      )}
    </Panel>
  )
}

interface LeftOutClientsProps {
  title: string
  leftOut: readonly LeftOut[]
  currency: string
}

/** Shows nothing when no client is left out. */
export function LeftOutClients({ title, leftOut, currency }: LeftOutClientsProps) {
  const { t } = useTranslation()
  if (leftOut.length === 0) return null
  return (
    <Panel title={title}>
      <TableFrame title={title}>
        <Heads>
          <th scope="col">{t('field.reason')}</th>
          <th scope="col" className="amount">
            {t('field.amount')}
          </th>
        </Heads>
        <tbody>
          {leftOut.map((one) => (
            <tr key={one.clientGuid}>
              <ClientName {...one} />
              <td>{translateLabel(`lookup.leftoutreason.${one.reason}`, one.reason)}</td>
              <td className="amount">{formatMoney(one.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}

function Heads({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <thead>
      <tr>
        <th scope="col">{t('field.clientName')}</th>
        {children}
      </tr>
    </thead>
  )
}

const ClientName = ({ clientGuid, clientName }: Pick<Line, 'clientGuid' | 'clientName'>) => (
  <th scope="row">
    <Link to="/clients/$clientGuid" params={{ clientGuid }}>
      {clientName}
    </Link>
  </th>
)
