import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DebtorListItem } from '../../../../contract/parties/debtors.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { Page } from '../../widgets/page.tsx'

export default function DebtorList() {
  const { t } = useTranslation()
  const mayWrite = useMay('debtor.write')
  return (
    <Page
      title={t('navigation.debtors')}
      actions={
        mayWrite && (
          <Button
            data-main-action
            component={Link}
            to="/debtors/new"
            leftSection={<Icon name="plus" size={16} />}
          >
            {t('debtor.new')}
          </Button>
        )
      }
    >
      <DataList<DebtorListItem>
        operation="listDebtors"
        name="debtors"
        row={DebtorListItem}
        getKey={({ debtorGuid }) => debtorGuid}
        columns={['fullName', 'debtorReference', 'idNumber', 'city', 'cellularPhone', 'email']}
        link={{ member: 'fullName', to: ({ debtorGuid }) => `/debtors/${debtorGuid}` }}
        quick="fullName"
        sort="fullName"
        empty={t('debtor.none')}
        emptyAction={mayWrite && <FirstButton to="/debtors/new" />}
      />
    </Page>
  )
}
