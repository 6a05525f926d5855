/** Clients that send or read slowly, or open many connections: they hold up nobody else. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApi, type TestApi } from '../../../testing/api.ts'

const limit = { timeout: 60_000 }
let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

async function open({ address }: TestApi, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const from = (address: string) => `X-Forwarded-For: ${address}\r\n`
const halfSent = (more = '') =>
  `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n${more}Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{`

/** Everything that the service sends until it ends the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

test('half-sent bodies of strangers hold up nobody', limit, async () => {
  const node = await api.startNode({ FORDRA_MAX_IN_FLIGHT: '2' })
  const sockets = await Promise.all(Array.from({ length: 50 }, () => open(node, halfSent())))
  for (let time = 0; time < 3; time++) assert.equal((await node.call('GET', '/debtors')).status, 200)
  for (const socket of sockets) socket.destroy()
  await node.close()
})

test('a connection too many from one address is answered 429 and closed', limit, async () => {
  const node = await api.startNode({ FORDRA_MAX_PER_CALLER: '5' })
  const sockets = await Promise.all(Array.from({ length: 5 }, () => open(node, halfSent())))
  const answer = await readAll(await open(node, ''))
  assert.match(answer, /^HTTP\/1\.1 429 /)
  assert.match(answer, /\r\nretry-after: 5\r\n/)
  assert.match(answer, /"code":"too-many-requests"/)
  sockets.pop()!.destroy()
  // The place is free once the service has noticed.
  let status = 429
  while (status === 429) {
    status = Number((await readAll(await open(node, 'GET /health/live HTTP/1.0\r\n\r\n'))).split(' ')[1])
  }
  assert.equal(status, 200)
  for (const socket of sockets) socket.destroy()
  await node.close()
})

test(
  'behind a proxy strangers are limited by their own address, and users by themselves',
  limit,
  async () => {
    const node = await api.startNode({ FORDRA_MAX_PER_CALLER: '5', FORDRA_TRUST_PROXY: '1' })
    const sockets = await Promise.all(
      Array.from({ length: 5 }, () => open(node, halfSent(from('192.0.2.1')))),
    )
    const logIn = (address: string) =>
      node.call('POST', '/auth/login', {
        token: null,
        body: { login: 'nobody', password: 'a wrong passphrase' },
        headers: { 'x-forwarded-for': address },
      })
    let status = 401
    while (status === 401) status = (await logIn('192.0.2.1')).status
    assert.equal(status, 429)
    assert.equal((await logIn('192.0.2.2')).status, 401)
    const mine = { headers: { 'x-forwarded-for': '192.0.2.1' } }
    assert.equal((await node.call('GET', '/debtors', mine)).status, 200)
    for (const socket of sockets) socket.destroy()
    await node.close()
  },
)

test('headers and bodies that do not arrive in time are answered 400 and closed', limit, async () => {
  const node = await api.startNode({ FORDRA_SLOW_SECONDS: '1' })
  const signedIn = `Authorization: Bearer ${node.token}\r\n`
  const upload = `POST /api/v1/system/files?what=debtors&fileName=a.csv HTTP/1.1\r\nHost: x\r\n${signedIn}Content-Type: application/octet-stream\r\nContent-Length: 90\r\n\r\n{`
  for (const text of [halfSent(), upload, 'GET /health/live HTTP/1.1\r\nHo']) {
    const answer = await readAll(await open(node, text))
    assert.match(answer, /^HTTP\/1\.1 400 /, text)
    assert.match(answer, /was not complete in time/)
  }
  await node.close()
})

test('the longest time that may be set is taken', limit, async () => {
  const node = await api.startNode({ FORDRA_SLOW_SECONDS: '3600' })
  assert.equal((await node.call('GET', '/debtors')).status, 200)
  await node.close()
})

test('a client that does not read its answers loses its connection', limit, async () => {
  const node = await api.startNode({ FORDRA_SLOW_SECONDS: '1' })
  const connections = watchConnections(node)
  const socket = await open(node, '')
  socket.pause()
  while (connections.size === 0) await sleep(10)
  // More than the buffers of both ends hold.
  // The document has some hundred kB.
  const asked = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100)
  socket.write(asked)
  while (connections.size > 0) await sleep(50)
  socket.destroy()
  await node.close()
})

test('a connection has ten requests open at most, however many it sends', limit, async () => {
  const node = await api.startNode()
  // The documents are large: each answer would be held for a client that does not read.
  const asked = 'GET /api/v1/asyncapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60)
  const text = await readAll(await open(node, asked))
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
  assert.deepEqual(statuses, [...Array<string>(10).fill('200'), '429'])
  assert.match(text, /retry-after: 1\r\n/)
  assert.match(text, /connection: close\r\n/i)
  assert.match(text, /"detail":"This connection has 10 requests open/)
  await node.close()
})

test('beyond the limit of connections health checks are answered, and others 503', limit, async () => {
  const node = await api.startNode({ FORDRA_MAX_CONNECTIONS: '10' })
  const connections = watchConnections(node)
  const sockets = await Promise.all(Array.from({ length: 10 }, () => open(node, halfSent())))
  while (connections.size < 10) await sleep(10)
  const ask = async (path: string) => readAll(await open(node, `GET ${path} HTTP/1.0\r\n\r\n`))
  assert.match(await ask('/health/live'), /^HTTP\/1\.1 200 /)
  const refused = await ask('/api/v1/debtors')
  assert.match(refused, /^HTTP\/1\.1 503 /)
  assert.match(refused, /\r\nretry-after: 5\r\n/)
  const spare = await open(node, halfSent())
  while (connections.size < 11) await sleep(10)
  assert.equal(await readAll(await open(node, 'GET /health/live HTTP/1.0\r\n\r\n')).catch(() => ''), '')
  for (const socket of [spare, ...sockets]) socket.destroy()
  while (connections.size > 0) await sleep(10)
  assert.match(await ask('/api/v1/debtors'), /^HTTP\/1\.1 401 /)
  await node.close()
})

/** The connections of a node from now on. */
function watchConnections({ app }: TestApi): Set<Socket> {
  const connections = new Set<Socket>()
  app.http.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}
