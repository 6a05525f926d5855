import { defineService } from 'fordra/service'

export default defineService<{ what?: string }>({
  code: 'eater',
  scope: 'global',
  description: 'Eats memory: of the heap, or in buffers outside of it.',
  access: 'service.read',
  memoryMb: 16,
  timeoutMs: 60_000,
  input: { type: 'object' },
  handler: async ({ what }) => {
    const eaten: unknown[] = []
    for (;;) {
      eaten.push(what === 'buffers' ? Buffer.alloc(1_000_000, 1) : Array.from({ length: 1000 }, () => ({})))
      if (what === 'buffers') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  },
})
