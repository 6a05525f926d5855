import type { TProperties, TSchema } from 'typebox'
import type { EntityWithActions } from '../../platform/event-types.ts'
import * as lists from '../../parties/holding-lists.ts'
import * as holdings from '../../parties/holdings.ts'
import { form, type Access } from './form.ts'

const read: Access = { access: ['client.read'] }
const write: Access = { access: ['client.write'] }

interface Holding {
  entity: EntityWithActions<'created' | 'updated' | 'deleted'>
  noun: string
  fields: TProperties
  inputs: { create: TSchema; edit: TSchema }
  key: string
  required: readonly string[]
  list: { response: TSchema }
}

function createForms({ entity, noun, fields, inputs, key, required, list }: Holding) {
  const shown = Object.keys(fields).filter((code) => code !== key)
  const layout = {
    entity,
    fields,
    groups: [{ code: 'details', columns: 2, noTopDivider: true, fields: shown }],
    keys: [key],
    required: ['clientGuid', ...required],
    list,
  } as const
  return {
    create: form({
      ...layout,
      type: 'create',
      takes: {},
      open: write,
      submit: { ...write, method: 'POST', body: inputs.create },
    }),
    edit: form({
      ...layout,
      type: 'edit',
      takes: { id: noun },
      record: 'id',
      open: read,
      submit: { ...write, method: 'PATCH', body: inputs.edit },
      remove: write,
    }),
  }
}

export const thirdPartyForms = createForms({
  entity: 'thirdparty',
  noun: 'third party',
  fields: holdings.thirdPartyFields,
  inputs: holdings.thirdPartyInputs,
  key: 'thirdPartyGuid',
  list: lists.listThirdParties,
  required: ['name'],
})
export const accountForms = createForms({
  entity: 'account',
  noun: 'account',
  fields: holdings.accountFields,
  inputs: holdings.accountInputs,
  key: 'accountGuid',
  list: lists.listAccounts,
  required: ['accountNumber'],
})
export const customerForms = createForms({
  entity: 'customer',
  noun: 'customer',
  fields: holdings.customerFields,
  inputs: holdings.customerInputs,
  key: 'customerGuid',
  list: lists.listCustomers,
  required: ['customerNumber', 'name'],
})
export const purchaseForms = createForms({
  entity: 'purchase',
  noun: 'purchase',
  fields: holdings.purchaseFields,
  inputs: holdings.purchaseInputs,
  key: 'purchaseGuid',
  list: lists.listPurchases,
  required: ['purchaseNumber'],
})
export const objectForms = createForms({
  entity: 'object',
  noun: 'object',
  fields: holdings.objectFields,
  inputs: holdings.objectInputs,
  key: 'objectGuid',
  list: lists.listObjects,
  required: ['objectNumber'],
})
