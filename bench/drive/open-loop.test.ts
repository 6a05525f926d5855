import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sendAtRate, sendInTurns, type LoadPlan } from './open-loop.ts'

const request = { kind: 'read', bytes: Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n') }

async function withServer(answer: RequestListener, work: (plan: LoadPlan) => Promise<void>): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await work({ address, connections: 10, seconds: 0.2, requests: [request] })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('requests of an open loop arrive although none is answered, and those without a connection are counted', async () => {
  const waiting: (() => void)[] = []
  await withServer(
    (_request, response) => waiting.push(() => response.end('late')),
    async (plan) => {
      const { sent, rest } = await sendAtRate(plan, 1_000)
      assert.equal(sent.unsent, 190)
      while (waiting.length < 10) await new Promise(setImmediate)
      for (const answer of waiting) answer()
      await rest
      assert.deepEqual([sent.late, sent.answered], [10, {}])
    },
  )
})

test('refusals, broken connections and answers are told apart', async () => {
  let count = 0
  await withServer(
    (_request, response) => {
      const turn = count++ % 4
      const length = { 'content-length': 100_000 }
      if (turn === 0) response.writeHead(200, length)
      else if (turn === 1) response.writeHead(503, { ...length, 'retry-after': '1' })
      else response.writeHead(503, length)
      if (turn === 3) response.destroy()
      else response.end('x'.repeat(100_000))
    },
    async (plan) => {
      const sent = await sendInTurns({ ...plan, connections: 1 })
      const { answered, refused, wrong, unsent } = sent
      assert.ok(refused > 0 && unsent === 0)
      const [answers, unnamed, broken] = [answered['read']! + sent.late, wrong['503']!, wrong['0']!]
      // They came in turns over one connection.
      for (const [more, less] of [
        [answers, refused],
        [refused, unnamed],
        [unnamed, broken],
      ] as const)
        assert.ok(more === less || more === less + 1, `${more} and ${less}`)
      assert.equal(answers + refused + unnamed + broken, count)
    },
  )
})
