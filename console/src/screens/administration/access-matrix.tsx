import { Group, MultiSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { roleAccessCodes, userRoles, allUserRoles } from '../../../../contract/access/access.ts'
import type { AccessGroupListItem as AccessGroup } from '../../../../contract/access/access-groups.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Icon } from '../../widgets/icons.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { isGiven, type AccessColumn } from './access-columns.ts'
import { findForms, formName, formAccess, allowedSteps, type FormRules } from './access-forms.ts'
import { operationRules } from './access-rules.data.ts'

const roles = allUserRoles
const usual = ['role 2', 'role 3', 'role 5', 'role 6', 'role 14']

interface MatrixRow {
  key: string
  name: string
  needs: readonly string[]
  cell: (column: AccessColumn) => ReactNode
}

/** A matrix of operations and forms against roles and groups. */
export default function AccessMatrix({ groups }: { groups: readonly AccessGroup[] }) {
  const { t } = useTranslation()
  const [what, setWhat] = useState<'operations' | 'forms'>('operations')
  const [text, setText] = useState('')
  const all: AccessColumn[] = [
    ...roles.map((role) => ({
      key: `role ${role}`,
      name: translateLabel(`lookup.userrole.${role}`, userRoles[role]),
      codes: roleAccessCodes[role],
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
  const isOfForms = what === 'forms'
  const rows = isOfForms ? formRows(wanted) : operationRows(wanted)
  return (
    <>
      <Group gap="md" align="flex-end" mb="sm">
        <SegmentedControl
          aria-label={t('access.what')}
          data={[
            { value: 'operations', label: t('access.operations') },
            { value: 'forms', label: t('access.forms') },
          ]}
          value={what}
          onChange={(next) => setWhat(next as typeof what)}
        />
        <TextInput
          label={t(isOfForms ? 'access.findForm' : 'access.find')}
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
        {t(isOfForms ? 'access.formAbout' : 'access.matrixAbout', { count: rows.length })}
      </Text>
      <MatrixTable head={t(isOfForms ? 'access.form' : 'access.operation')} columns={columns} rows={rows} />
    </>
  )
}

interface MatrixTableProps {
  head: string
  columns: readonly AccessColumn[]
  rows: readonly MatrixRow[]
}

function MatrixTable({ head, columns, rows }: MatrixTableProps) {
  const { t } = useTranslation()
  const everybody: Record<string, string> = { public: t('access.public'), session: t('access.session') }
  return (
    <div className="matrix">
      <TableFrame title={t('access.matrix')}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{t('access.needs')}</th>
            {columns.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, needs, cell }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>
                {needs.map((need) => (
                  <div key={need} className={need in everybody ? undefined : 'code'}>
                    {everybody[need] ?? need}
                  </div>
                ))}
              </td>
              {columns.map((column) => (
                <td key={column.key}>{cell(column)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </div>
  )
}

const operationRows = (wanted: string): MatrixRow[] =>
  operationRules
    .map((operation) => ({
      ...operation,
      label: translateLabel(`lookup.operation.${operation.id}`, operation.summary),
    }))
    .filter(({ id, label, access }) => `${id} ${label} ${String(access)}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.area.localeCompare(b.area) || a.label.localeCompare(b.label))
    .map((operation) => ({
      key: operation.id,
      name: operation.label,
      needs: [operationAccess(operation)],
      cell: (column) => <Tick given={isGiven(operation, column)} />,
    }))

const formLabel = (form: FormRules): string =>
  translateLabel(`form.${formName(form).replace('/', '.')}`, formName(form))

const formRows = (wanted: string): MatrixRow[] =>
  findForms(wanted, formLabel).map((form) => ({
    key: formName(form),
    name: formLabel(form),
    needs: formAccess(form),
    cell: (column) => <FormSteps steps={allowedSteps(form, column)} />,
  }))

function Tick({ given }: { given: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      {given && <Icon name="check" size={15} />}
      <span className="visually-hidden">{t(given ? 'value.yes' : 'value.no')}</span>
    </>
  )
}

function FormSteps({ steps }: { steps: ReturnType<typeof allowedSteps> }) {
  const { t } = useTranslation()
  if (steps.length === 0) return <span className="visually-hidden">{t('access.nothing')}</span>
  return <Text size="xs">{steps.map((step) => t(`access.${step}`)).join(', ')}</Text>
}

const operationAccess = ({ access }: (typeof operationRules)[number]): string =>
  typeof access === 'string' ? access : access.join(', ')
