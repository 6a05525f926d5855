import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { fastify } from 'fastify'
import { prepareClose } from '../close-http.ts'
import { listen } from './listen.ts'

const host = '127.0.0.1'
const isLinux = process.platform === 'linux'

test('several connections are accepted in one turn of the event loop', { skip: !isLinux }, async () => {
  const http = fastify()
  const counts = { accepted: 0, turns: 0 }
  http.server.on('connection', () => counts.accepted++)
  const address = await listen(http, { host, port: 0 })
  const sockets = Array.from({ length: 200 }, () => connect(Number(new URL(address).port), host))
  for (const socket of sockets) socket.on('error', () => {})
  for (; counts.accepted < sockets.length; counts.turns++) await turn()
  assert.ok(counts.turns < 100, `${counts.turns} turns`)
  for (const socket of sockets) socket.destroy()
  await http.close()
})

test('a stop waits for the requests of every connection, and takes no new ones', async () => {
  const http = fastify()
  const { close } = prepareClose(http)
  const answer = Promise.withResolvers<string>()
  const counts = { asked: 0 }
  const allAsked = Promise.withResolvers<void>()
  http.get('/', () => {
    if (++counts.asked === 100) allAsked.resolve()
    return answer.promise
  })
  const address = await listen(http, { host, port: 0 })
  const answers = Array.from({ length: 100 }, () => fetch(address).then((response) => response.text()))
  await allAsked.promise
  const closed = close()
  await turn()
  await assert.rejects(fetch(address))
  answer.resolve('answered')
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['answered']))
  await closed
})

test('the port is taken for everybody else', async () => {
  const http = fastify()
  const address = await listen(http, { host, port: 0 })
  const other = createServer().listen({ port: Number(new URL(address).port), host })
  const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException]
  assert.equal(error.code, 'EADDRINUSE')
  await http.close()
})
