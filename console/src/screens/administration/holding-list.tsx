import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import * as lists from '../../../../contract/parties/holding-lists.ts'
import type { ListName } from '../../../../client/operations.ts'
import type { HoldingEntity } from './holding-search.ts'
import { RecordPage } from './record-page.tsx'

interface Kind {
  operation: ListName
  row: object
  guid: string
  /** The member that identifies its records to users. */
  member: string
  columns: readonly string[]
  /** The amounts that are added up. */
  sums?: readonly string[]
}

const kinds: Record<HoldingEntity, Kind> = {
  thirdparty: {
    operation: 'listThirdParties',
    row: lists.ThirdPartyListItem,
    guid: 'thirdPartyGuid',
    member: 'name',
    columns: ['name', 'clientName', 'city', 'email', 'phone'],
  },
  account: {
    operation: 'listAccounts',
    row: lists.AccountListItem,
    guid: 'accountGuid',
    member: 'accountNumber',
    columns: ['accountNumber', 'clientName', 'name', 'currencyCode'],
  },
  customer: {
    operation: 'listCustomers',
    row: lists.CustomerListItem,
    guid: 'customerGuid',
    member: 'customerNumber',
    columns: ['customerNumber', 'name', 'clientName', 'city', 'email'],
  },
  purchase: {
    operation: 'listPurchases',
    row: lists.PurchaseListItem,
    guid: 'purchaseGuid',
    member: 'purchaseNumber',
    columns: ['purchaseNumber', 'clientName', 'customerName', 'purchaseDate', 'amount'],
    sums: ['amount'],
  },
  object: {
    operation: 'listObjects',
    row: lists.ObjectListItem,
    guid: 'objectGuid',
    member: 'objectNumber',
    columns: ['objectNumber', 'name', 'clientName', 'city'],
  },
}

const memberText = (record: Record<string, unknown>, name: string) => String(record[name] ?? '')

/** Client records, one kind at a time. */
export default function HoldingList() {
  const { t } = useTranslation()
  const { kind = 'thirdparty' } = useSearch({ from: '/holdings' })
  const navigate = useNavigate()
  const { operation, row, guid, member, columns, sums = [] } = kinds[kind]
  return (
    <RecordPage<Record<string, unknown>>
      // A key per kind, so that one list does not keep the input of another.
      key={kind}
      title={t('navigation.holdings')}
      about={t('holding.about')}
      above={
        <SegmentedControl
          aria-label={t('holding.kinds')}
          mb="sm"
          data={[
            { value: 'thirdparty', label: t('holding.thirdparty') },
            { value: 'account', label: t('holding.account') },
            { value: 'customer', label: t('holding.customer') },
            { value: 'purchase', label: t('holding.purchase') },
            { value: 'object', label: t('holding.object') },
          ]}
          value={kind}
          onChange={(next) => void navigate({ to: '/holdings', search: { kind: next } })}
        />
      }
      newText={t(`holding.new.${kind}`)}
      entity={kind}
      write="client.write"
      operation={operation}
      name={`holdings-${kind}`}
      row={row}
      getKey={(record) => memberText(record, guid)}
      getName={(record) => memberText(record, member)}
      columns={columns}
      sums={sums}
      quick={member}
      sort={member}
      empty={t('holding.none')}
    />
  )
}
