import { defineService } from 'fordra/service'

export default defineService<{ how?: string }>({
  code: 'leaver',
  scope: 'user',
  description: 'Ends its process, or throws where nobody catches.',
  access: 'service.read',
  input: { type: 'object' },
  handler: async ({ how }, { attempt }) => {
    if (how === 'return' || (how === 'fail-once' && attempt > 1)) return
    if (how === 'fail' || how === 'fail-once') throw new Error('no')
    if (how === 'throw') setTimeout(() => assertNever(), 0)
    else if (how === 'reject') void Promise.reject(new Error('loose'))
    else if (how === 'later') setTimeout(() => process.exit(0), 5)
    else process.exit(0)
    if (how === 'later') return
    await new Promise(() => {})
  },
})

function assertNever(): never {
  throw new Error('loose')
}
