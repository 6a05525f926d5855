import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PaymentFileCheck } from '../../../../contract/treasury/payment-files.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

/** The accounts of a bank file, each with the party that has it. */
export function CheckedAccounts({ accounts }: Pick<PaymentFileCheck, 'accounts'>) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('bankFile.accounts')}>
      <thead>
        <tr>
          <th scope="col">{t('field.account')}</th>
          <th scope="col">{t('bankFile.owner')}</th>
          <th scope="col">{t('field.entries')}</th>
          <th scope="col" className="amount">
            {t('bankFile.matched')}
          </th>
          <th scope="col" className="amount">
            {t('bankFile.suspense')}
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ account, currencyCode, entries, booked, suspended, owner, isKnown }) => (
          <tr key={`${account} ${currencyCode}`}>
            <td>{account}</td>
            <td>
              {owner ??
                (isKnown ? (
                  t('bankFile.seenBefore')
                ) : (
                  <Badge variant="light" color="yellow" tt="none" fw={500}>
                    {t('bankFile.unknownAccount')}
                  </Badge>
                ))}
            </td>
            <td>{formatNumber(entries)}</td>
            <td className="amount">{formatMoney(booked, currencyCode)}</td>
            <td className="amount">{formatMoney(suspended, currencyCode)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

/** The first entries that would not be booked, with the reason in words. */
export function CheckedProblems({ problems }: Pick<PaymentFileCheck, 'problems'>) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('import.reasons')}>
      <thead>
        <tr>
          <th scope="col">{t('field.number')}</th>
          <th scope="col">{t('field.valueDate')}</th>
          <th scope="col">{t('field.payerName')}</th>
          <th scope="col" className="amount">
            {t('field.amount')}
          </th>
          <th scope="col">{t('field.outcome')}</th>
          <th scope="col">{t('field.reason')}</th>
        </tr>
      </thead>
      <tbody>
        {problems.map(({ number, valueDate, payerName, amount, currencyCode, outcome, reason }) => (
          <tr key={number}>
            <td>{formatNumber(number)}</td>
            <td>{formatDateTime(valueDate)}</td>
            <td>{payerName}</td>
            <td className="amount">{formatMoney(amount, currencyCode)}</td>
            <td>
              <StateBadge lookup="entryoutcome" state={outcome} />
            </td>
            <td>{reason === null ? '' : translateLabel(`lookup.entryreason.${reason}`, reason)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
