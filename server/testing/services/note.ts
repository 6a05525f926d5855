import { defineService, ServiceApiError } from 'fordra/service'

interface Input {
  name: string
  then?: 'fail' | 'fail-once' | 'undo' | 'conflict' | 'sign-in' | 'other-debtor'
  guid?: string
}

export default defineService<Input>({
  code: 'note',
  scope: 'debtor',
  description: 'Writes an extra field.',
  access: 'debtor.write',
  input: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, then: {}, guid: {} } },
  handler: async ({ name, then, guid }, { api, item, transaction, attempt }) => {
    const params = { debtorGuid: item!.guid }
    const write = (text: string) =>
      api.call('createExtraField', { params, body: { name: text, value: ['x'] } })
    await write(name)
    if (then === 'fail' || (then === 'fail-once' && attempt === 1)) throw new Error('no')
    if (then === 'undo') {
      await transaction(async () => {
        await write(`${name} inside`)
        throw new Error('undone')
      }).catch(() => {})
    }
    if (then === 'sign-in') await api.call('signIn' as 'getDebtor')
    if (then === 'other-debtor') await api.call('getDebtor', { params: { debtorGuid: guid! } })
    if (then === 'conflict') {
      const refused = await write(name).catch((error: unknown) => error as ServiceApiError)
      const { total } = await api.call('listExtraFields', { params })
      return { code: (refused as ServiceApiError).code, total }
    }
    return {}
  },
})
