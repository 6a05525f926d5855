import { defineService } from 'fordra/service'

export default defineService({
  code: 'big',
  scope: 'global',
  description: 'Returns more than is kept.',
  access: 'system.admin',
  input: { type: 'object' },
  handler: async () => ({ text: 'x'.repeat(1_100_000) }),
})
