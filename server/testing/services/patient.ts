import { defineService } from 'fordra/service'

export default defineService({
  code: 'patient',
  scope: 'global',
  description: 'Takes a minute.',
  access: 'service.read',
  timeoutMs: 120_000,
  input: { type: 'object' },
  handler: () => new Promise((resolve) => void setTimeout(() => resolve({}), 60_000)),
})
