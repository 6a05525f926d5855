import { defineService } from 'fordra/service'

export default defineService({
  code: 'sleep',
  scope: 'debtor',
  description: 'Writes, and then never ends.',
  access: 'service.read',
  timeoutMs: 300,
  input: { type: 'object' },
  handler: async (_input, { api, item }) => {
    await api.call('createExtraField', {
      params: { debtorGuid: item!.guid },
      body: { name: 'late', value: [] },
    })
    await new Promise(() => {})
  },
})
