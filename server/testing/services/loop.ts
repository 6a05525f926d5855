import { defineService } from 'fordra/service'

export default defineService({
  code: 'loop',
  scope: 'global',
  description: 'Never ends and never rests.',
  access: 'service.read',
  timeoutMs: 300,
  input: { type: 'object' },
  handler: async () => {
    for (;;) Math.random()
  },
})
