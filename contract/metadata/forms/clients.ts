import { clientFields, ClientInput, listClients } from '../../parties/clients.ts'
import { form, type Access } from './form.ts'

const write: Access = { access: ['client.write'] }
const client = {
  entity: 'client',
  fields: clientFields,
  groups: [
    {
      code: 'client',
      columns: 2,
      noTopDivider: true,
      fields: ['name', 'partyReferenceCode', 'parentPartyReferenceCode', 'countryCode', 'currencyCode'],
    },
  ],
  keys: ['clientGuid'],
  list: listClients,
  required: ['name', 'partyReferenceCode'],
} as const

export const clientCreate = form({
  ...client,
  type: 'create',
  takes: {},
  open: write,
  submit: { ...write, method: 'POST', body: ClientInput },
})
export const clientEdit = form({
  ...client,
  type: 'edit',
  takes: { id: 'client' },
  record: 'id',
  open: { access: ['client.read'] },
  submit: { ...write, method: 'PATCH', body: ClientInput },
  remove: write,
})
