import { parentPort } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineService, ServiceFailure } from 'fordra/service'

interface Input {
  how: string
  name?: string
}

export default defineService<Input>({
  code: 'careless',
  scope: 'debtor',
  description: 'Does not keep to what is agreed.',
  access: 'debtor.write',
  timeoutMs: 2000,
  input: { type: 'object', required: ['how'], properties: { how: { type: 'string' }, name: {} } },
  handler: async ({ how, name = 'careless' }, { api, id, item, transaction }) => {
    const write = (text: string) =>
      api.call('createExtraField', {
        params: { debtorGuid: item!.guid },
        body: { name: text, value: ['x'] },
      })
    const ways: Record<string, () => unknown> = {
      'forgets to await a call': async () => {
        await write(`${name} awaited`)
        void write(name)
      },
      'forgets to await a transaction': () => {
        void transaction(() => write(name))
      },
      'says something of its own on the port': () => {
        for (const said of ['hello', 1, null, undefined, {}, { run: id }, { run: id, kind: 'call' }])
          parentPort!.postMessage(said)
        return sleep(100)
      },
      'ends twice on the port': () => {
        parentPort!.postMessage({ run: id, kind: 'done', result: 1n })
        return sleep(100)
      },
      'says too much on the port': () => {
        for (let n = 0; n < 20_000; n++) parentPort!.postMessage({ n })
        return sleep(100)
      },
      'returns NUL': () => ({ deep: [{ text: 'a\0b' }] }),
      'returns half of a character': () => ({ '\ud800': 1 }),
      'tells NUL': () => {
        throw new ServiceFailure('a\0b')
      },
      'returns a text': () => 'done',
      'returns a list': () => [1],
      'has transactions that overlap': async () => {
        const outcomes = await Promise.allSettled([
          transaction(async () => {
            await write(`${name} undone`)
            await sleep(50)
            throw new Error('undone')
          }),
          transaction(async () => {
            await transaction(() => write(`${name} nested`))
            await write(`${name} kept`)
          }),
          write(`${name} beside`),
        ])
        return { outcomes: outcomes.map(({ status }) => status) }
      },
    }
    return (await ways[how]!()) as object
  },
})
