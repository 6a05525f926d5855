import { StrategyChangeForm, strategyFields, StrategyForm } from '../../collection/strategies.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['system.admin'], unrestricted: true }
const strategy = {
  entity: 'strategy',
  fields: strategyFields,
  keys: ['strategyGuid'],
  open: administer,
  required: ['code', 'name', 'steps'],
  lists: { steps: '\n' },
} as const
const group = { code: 'strategy', columns: 1, noTopDivider: true } as const

export const strategyCreate = form({
  ...strategy,
  type: 'create',
  groups: [{ ...group, fields: ['code', 'name', 'source', 'steps'] }],
  takes: {},
  submit: { ...administer, method: 'POST', body: StrategyForm },
})
export const strategyEdit = form({
  ...strategy,
  type: 'edit',
  groups: [{ ...group, fields: ['name', 'source', 'steps', 'running'] }],
  takes: { id: 'strategy' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: StrategyChangeForm },
  remove: administer,
})
