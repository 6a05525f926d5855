import { Badge, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { UserListItem } from '../../../../contract/access/users.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { Icon } from '../../widgets/icons.tsx'
import { Page } from '../../widgets/page.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'

export default function UserList() {
  const { t } = useTranslation()
  const mayWrite = useMay('user.write')
  return (
    <Page
      title={t('navigation.users')}
      actions={
        mayWrite && (
          <Button
            data-main-action
            component={Link}
            to="/users/new"
            leftSection={<Icon name="plus" size={16} />}
          >
            {t('user.new')}
          </Button>
        )
      }
    >
      <DataList<UserListItem>
        operation="listUsers"
        name="users"
        row={UserListItem}
        getKey={({ uniqueId }) => uniqueId}
        columns={[
          'fullName',
          'email',
          'userRole',
          'partyReferenceCode',
          'department',
          'invitation',
          'disabled',
        ]}
        link={{ member: 'fullName', to: ({ uniqueId }) => `/users/${uniqueId}` }}
        quick="fullName"
        sort="fullName"
        cells={{
          invitation: ({ invitation }) =>
            invitation === null ? '' : <StateBadge lookup="invitation" state={invitation} />,
          disabled: ({ disabled }) =>
            disabled === true ? (
              <Badge variant="light" color="red" size="sm">
                {t('field.disabled')}
              </Badge>
            ) : (
              ''
            ),
        }}
        empty={t('user.none')}
      />
    </Page>
  )
}
