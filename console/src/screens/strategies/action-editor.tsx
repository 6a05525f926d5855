import { Button, Group, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { feeTypes } from '../../../../core/ledger/statutory-fees.ts'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { translateLabel } from '../../texts/labels.ts'
import { allowedSubStatuses } from '../cases/case-steps.ts'
import { statusLabel, subStatusLabel } from '../cases/status-badge.tsx'
import { actionKinds, newAction, openStatuses, type Action } from './steps.ts'

interface ActionEditorProps {
  action: Action
  /** The accessible name, for users who do not see its position. */
  name: string
  onChange: (action: Action) => void
  onRemove: () => void
}

const letters = ['reminder', 'notice', 'demand', 'legal', 'surveillance']
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** One action of a step. */
export function ActionEditor({ action, name, onChange, onRemove }: ActionEditorProps) {
  const { t } = useTranslation()
  return (
    <Group gap="sm" align="flex-end" wrap="wrap" role="group" aria-label={name}>
      <Select
        label={t('strategy.action')}
        w={170}
        data={actionKinds.map((value) => ({
          value,
          label: translateLabel(`lookup.strategyaction.${value}`, value),
        }))}
        value={actionKinds.find((kind) => kind === action['kind']) ?? null}
        allowDeselect={false}
        onChange={(kind) => onChange(newAction(kind!))}
      />
      <ActionFields action={action} change={(more) => onChange({ ...action, ...more })} />
      <Button
        size="sm"
        variant="subtle"
        color="red"
        aria-label={`${t('action.delete')}: ${name}`}
        onClick={onRemove}
      >
        {t('action.delete')}
      </Button>
    </Group>
  )
}

interface FieldsProps {
  action: Action
  change: (more: Action) => void
}

function ActionFields({ action, change }: FieldsProps) {
  const { t } = useTranslation()
  if (action['kind'] === 'fee')
    return (
      <Select
        label={t('rates.fee')}
        searchable
        data={feeTypes.map((value) => ({ value, label: translateLabel(`lookup.feetype.${value}`, value) }))}
        value={toText(action['feeType'])}
        allowDeselect={false}
        onChange={(feeType) => change({ feeType })}
      />
    )
  if (action['kind'] === 'status') return <StatusFields action={action} change={change} />
  if (action['kind'] === 'letter')
    return (
      <>
        <Select
          label={t('lookup.strategyaction.letter')}
          data={letters.map((value) => ({
            value,
            label: translateLabel(`lookup.letterkind.${value}`, value),
          }))}
          value={toText(action['letter'])}
          allowDeselect={false}
          onChange={(letter) => change({ letter })}
        />
        <TextInput
          label={t('strategy.dueDays')}
          type="number"
          min={1}
          w={140}
          value={typeof action['dueDays'] === 'number' ? action['dueDays'] : ''}
          onChange={({ currentTarget: { value } }) =>
            change({ dueDays: value === '' ? null : Number(value) })
          }
        />
      </>
    )
  if (action['kind'] === 'task')
    return (
      <TextInput
        label={t('strategy.task')}
        w={330}
        maxLength={200}
        value={toText(action['task'])}
        required
        onChange={(event) => change({ task: event.currentTarget.value })}
      />
    )
  return <ServiceFields action={action} change={change} />
}

/** Which service is called for the debtor, and in whose name. */
function ServiceFields({ action, change }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <LookupSelect
        code="servicedefinition"
        narrow="debtor"
        label={t('lookup.strategyaction.service')}
        w={330}
        required
        value={toText(action['service']) || null}
        onChange={(service) => change({ service: service ?? '' })}
      />
      <LookupSelect
        code="user"
        label={t('strategy.user')}
        w={240}
        required
        value={toText(action['userGuid']) || null}
        onChange={(userGuid) => change({ userGuid: userGuid ?? '' })}
      />
    </>
  )
}

function StatusFields({ action, change }: FieldsProps) {
  const { t } = useTranslation()
  const status = openStatuses.find((one) => one === action['status']) ?? null
  const subStatuses = status === null ? [] : allowedSubStatuses(status)
  return (
    <>
      <Select
        label={t('field.status')}
        data={openStatuses.map((value) => ({ value, label: statusLabel(value) }))}
        value={status}
        allowDeselect={false}
        onChange={(next) => change({ status: next, subStatus: allowedSubStatuses(next!)[0] })}
      />
      <Select
        label={t('field.subStatus')}
        data={subStatuses.map((value) => ({ value, label: subStatusLabel(value) }))}
        value={toText(action['subStatus'])}
        allowDeselect={false}
        onChange={(subStatus) => change({ subStatus })}
      />
    </>
  )
}
