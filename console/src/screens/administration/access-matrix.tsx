import { Group, MultiSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accessCodesOf, userRoles, type AccessCode, type UserRole } from '../../../../contract/access.ts'
import type { AccessGroupListItem as AccessGroup } from '../../../../contract/access-groups.ts'
import { operations } from '../../../../contract/api.ts'
import type { Operation } from '../../../../contract/operation.ts'
import { labelOf } from '../../texts/labels.ts'
import { Icon } from '../../widgets/icons.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

interface Column {
  key: string
  name: string
  codes: readonly string[]
  role?: UserRole
}

const roles = Object.keys(userRoles).map(Number) as UserRole[]
const usual = ['role 2', 'role 3', 'role 5', 'role 6', 'role 14']

/** The same rule as the service's: one of the codes, or a role that is admitted by name. */
function mayCall({ access, roles: admitted }: Operation, { codes, role }: Column): boolean {
  if (typeof access === 'string') return true
  const has = access.some((code: AccessCode) => codes.includes(code))
  return has || (role !== undefined && admitted?.includes(role) === true)
}

/** Every operation of the contract against roles and groups: what each opens by itself. */
export default function AccessMatrix({ groups }: { groups: readonly AccessGroup[] }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const all: Column[] = [
    ...roles.map((role) => ({
      key: `role ${role}`,
      name: labelOf(`code.userRole.${role}`, userRoles[role]),
      codes: accessCodesOf[role],
      role,
    })),
    ...groups.map(({ accessGroupGuid, name, accessCodes }) => ({
      key: accessGroupGuid,
      name: t('access.group', { name }),
      codes: accessCodes,
    })),
  ]
  const [chosen, setChosen] = useState<string[]>()
  const shown = chosen ?? [...usual, ...groups.map(({ accessGroupGuid }) => accessGroupGuid)]
  const columns = all.filter(({ key }) => shown.includes(key))
  const wanted = text.trim().toLowerCase()
  const rows = operations
    .filter(({ id, summary, access }) => `${id} ${summary} ${String(access)}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.area.localeCompare(b.area) || a.summary.localeCompare(b.summary))
  return (
    <>
      <Group gap="md" align="flex-end" mb="sm">
        <TextInput
          label={t('access.find')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <MultiSelect
          label={t('access.columns')}
          data={all.map(({ key, name }) => ({ value: key, label: name }))}
          value={shown}
          onChange={setChosen}
          flex={1}
          miw="16rem"
        />
      </Group>
      <Text size="xs" c="dimmed" mb="xs" role="status">
        {t('access.matrixAbout', { count: rows.length })}
      </Text>
      <div className="matrix">
        <TableFrame title={t('access.matrix')}>
          <thead>
            <tr>
              <th scope="col">{t('access.operation')}</th>
              <th scope="col">{t('access.needs')}</th>
              {columns.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((operation) => (
              <tr key={operation.id}>
                <th scope="row">{operation.summary}</th>
                <td className="code">{needsOf(operation)}</td>
                {columns.map((column) => (
                  <td key={column.key}>
                    {mayCall(operation, column) ? (
                      <>
                        <Icon name="check" size={15} />
                        <span className="visually-hidden">{t('value.yes')}</span>
                      </>
                    ) : (
                      <span className="visually-hidden">{t('value.no')}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </div>
    </>
  )
}

const needsOf = ({ access }: Operation): string => (typeof access === 'string' ? access : access.join(', '))
