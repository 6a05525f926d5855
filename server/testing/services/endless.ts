import { defineService } from 'fordra/service'

/** Its own service, because a short time limit suits only what never ends. */
export default defineService<{ how: string }>({
  code: 'endless',
  scope: 'debtor',
  description: 'Never ends.',
  access: 'debtor.write',
  timeoutMs: 1000,
  input: { type: 'object', required: ['how'], properties: { how: { type: 'string' } } },
  handler: ({ how }, { api, item, log }) => {
    const write = () =>
      api.call('createExtraField', {
        params: { debtorGuid: item!.guid },
        body: { name: 'endless', value: ['x'] },
      })
    if (how === 'logs for ever') for (;;) log('x'.repeat(1000))
    for (;;) void write().catch(() => {})
  },
})
