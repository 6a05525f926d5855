import { defineService, ServiceFailure } from 'fordra/service'

interface Input {
  text?: string
  fail?: 'told' | 'untold' | 'once'
}

export default defineService<Input>({
  code: 'echo',
  scope: 'global',
  description: 'Returns what it is given.',
  access: 'service.read',
  input: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      fail: { type: 'string', enum: ['told', 'untold', 'once'] },
      day: { type: 'string', format: 'date' },
      nested: {
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'integer' } } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  handler: async ({ text, fail }, { caller, item, businessDate, id, attempt }) => {
    if (fail === 'told' || (fail === 'once' && attempt === 1))
      throw new ServiceFailure('The register does not answer.')
    if (fail === 'untold') throw new Error('password hunter2')
    const environment = Object.keys(process.env)
    return { text, item, businessDate, id, attempt, userGuid: caller.userGuid, environment }
  },
})
