import { defineService, ServiceApiError } from 'fordra/service'

interface Input {
  name: string
  after?: 'fail' | 'fail-once' | 'undo' | 'conflict' | 'sign-in' | 'other-debtor'
  guid?: string
}

export default defineService<Input>({
  code: 'note',
  scope: 'debtor',
  description: 'Writes an extra field.',
  access: 'debtor.write',
  input: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, after: {}, guid: {} },
  },
  handler: async ({ name, after, guid }, { api, item, transaction, attempt }) => {
    const params = { debtorGuid: item!.guid }
    const write = (text: string) =>
      api.call('createExtraField', { params, body: { name: text, value: ['x'] } })
    await write(name)
    if (after === 'fail' || (after === 'fail-once' && attempt === 1)) throw new Error('no')
    if (after === 'undo') {
      await transaction(async () => {
        await write(`${name} inside`)
        throw new Error('undone')
      }).catch(() => {})
    }
    if (after === 'sign-in') await api.call('signIn' as 'getDebtor')
    if (after === 'other-debtor') await api.call('getDebtor', { params: { debtorGuid: guid! } })
    if (after === 'conflict') {
      const refused = await write(name).catch((error: unknown) => error as ServiceApiError)
      const { total } = await api.call('listExtraFields', { params })
      return { code: (refused as ServiceApiError).code, total }
    }
    return {}
  },
})
