import { Fieldset, MultiSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userRoles, type UserRole } from '../../../../contract/access/access.ts'
import type { Dashboard } from '../../../../contract/insight/dashboards.ts'
import { reading } from '../../api/queries.ts'
import { translateLabel } from '../../texts/labels.ts'

export type Sharing = Pick<Dashboard, 'roles' | 'groupGuids' | 'defaultRoles'>

interface SharingFieldsProps {
  sharing: Sharing
  onChange: (sharing: Sharing) => void
}

const toOption = (role: UserRole) => ({
  value: String(role),
  label: translateLabel(`lookup.userrole.${role}`, userRoles[role]),
})
const toRoles = (values: readonly string[]) => values.map((value) => Number(value) as UserRole)
const allRoles = toRoles(Object.keys(userRoles))

/** With whom a dashboard is shared, and who sees it first. */
export function SharingFields({ sharing, onChange }: SharingFieldsProps) {
  const { t } = useTranslation()
  const { roles, groupGuids, defaultRoles } = sharing
  const groups = useQuery(reading('listAccessGroups', { $top: 100 }))
  const data = (groups.data?.body.value ?? []).map(({ accessGroupGuid, name }) => ({
    value: accessGroupGuid,
    label: name,
  }))
  const chooseRoles = (values: string[]) => {
    const chosen = toRoles(values)
    onChange({
      ...sharing,
      roles: chosen,
      defaultRoles: defaultRoles.filter((role) => chosen.includes(role)),
    })
  }
  return (
    <Fieldset legend={t('dashboards.share')}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t('dashboards.shareAbout')}
        </Text>
        <MultiSelect
          label={t('dashboards.roles')}
          data={allRoles.map(toOption)}
          value={roles.map(String)}
          searchable
          onChange={chooseRoles}
        />
        <MultiSelect
          label={t('dashboards.groups')}
          data={data}
          value={groupGuids}
          searchable
          onChange={(values) => onChange({ ...sharing, groupGuids: values })}
        />
        <MultiSelect
          label={t('dashboards.defaultRoles')}
          data={roles.map(toOption)}
          value={defaultRoles.map(String)}
          onChange={(values) => onChange({ ...sharing, defaultRoles: toRoles(values) })}
        />
      </Stack>
    </Fieldset>
  )
}
