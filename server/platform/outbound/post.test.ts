import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { isPublicAddress } from './addresses.ts'
import { openOutbound, type OutboundOptions } from './post.ts'

const servers: Server[] = []
const outbounds: { close(): void }[] = []
after(() => {
  for (const outbound of outbounds) outbound.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function open(options: OutboundOptions) {
  const outbound = openOutbound(options)
  outbounds.push(outbound)
  return outbound
}

const request = { headers: { 'x-own': 'yes' }, body: '{"a":"å"}', timeoutMs: 2_000, bytesMax: 1_000 }

const kinds: [address: string, isPublic: boolean][] = [
  ['8.8.8.8', true],
  ['93.184.215.14', true],
  ['2a00:1450:4001::1', true],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['ff02::1', false],
  ['example.org', false],
]
for (const [address, isPublic] of kinds) {
  test(`${address} is ${isPublic ? '' : 'not '}public`, () =>
    assert.equal(isPublicAddress(address), isPublic))
}

const faults = [
  'http://example.org/',
  'ftp://example.org/',
  'https://localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://user:word@example.org/',
  'https://example.org/\r\nX: y',
  'example.org',
  '',
]
for (const url of faults) {
  test(`the address ${url} is refused before it is called`, async () => {
    const outbound = open({ allowPrivate: false })
    assert.ok(outbound.findFault(url))
    await assert.rejects(outbound.post(url, request), { name: 'Error' })
  })
}

test('a name that resolves to a private address is not called, whatever else it resolves to', async () => {
  let called = 0
  const url = await listen((_request, response) => {
    called++
    response.end()
  })
  const port = new URL(url).port
  const found = [
    { address: '93.184.215.14', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const outbound = open({ allowPrivate: false, resolve: async () => found })
  await assert.rejects(outbound.post(`https://rebinding.example:${port}/`, request), /private network/)
  assert.equal(called, 0)
})

test('the name is resolved once, so that a second answer cannot lead elsewhere', async () => {
  const url = await listen((_request, response) => response.end('first'))
  let asked = 0
  const outbound = open({
    allowPrivate: true,
    resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
  })
  const answer = await outbound.post(url.replace('127.0.0.1', 'twice.example'), request)
  assert.equal(answer.body.toString(), 'first')
  assert.equal(asked, 1)
})

test('body and headers are sent, and the answer is returned', async () => {
  const url = await listen((incoming, response) => {
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      response.statusCode = 201
      response.end(
        JSON.stringify([text, incoming.headers['x-own'], incoming.headers['content-type'], incoming.method]),
      )
    })
  })
  const { status, body, cut } = await open({ allowPrivate: true }).post(url, request)
  assert.deepEqual([status, cut], [201, false])
  assert.deepEqual(JSON.parse(body.toString()), ['{"a":"å"}', 'yes', 'application/json', 'POST'])
})

test('a redirect is not followed', async () => {
  const asked: (string | undefined)[] = []
  const url = await listen((incoming, response) => {
    asked.push(incoming.url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  assert.equal((await open({ allowPrivate: true }).post(url, request)).status, 302)
  assert.deepEqual(asked, ['/'])
})

test('a body of 10 MB is read only up to the limit', async () => {
  const url = await listen((_request, response) => {
    response.on('error', () => {})
    for (let n = 0; n < 10; n++) response.write(Buffer.alloc(1_000_000, 'x'))
    response.end()
  })
  const { body, cut } = await open({ allowPrivate: true }).post(url, request)
  assert.deepEqual([body.length, cut], [1000, true])
})

test('a request that hangs is ended at the timeout, before or during its answer', async () => {
  const silent = await listen(() => {})
  const slow = await listen((_request, response) => void response.writeHead(200).write('x'))
  const outbound = open({ allowPrivate: true })
  for (const url of [silent, slow]) {
    await assert.rejects(outbound.post(url, { ...request, timeoutMs: 200 }), /No answer within 0.2 s/)
  }
})

test('a request that waits for a connection does not time out, and is sent once', async () => {
  const held = Promise.withResolvers<void>()
  const got: (string | undefined)[] = []
  const url = await listen((incoming, response) => {
    got.push(incoming.url)
    if (incoming.url === '/held') void held.promise.then(() => response.end())
    else response.end()
  })
  const outbound = open({ allowPrivate: true, socketsMax: 1 })
  const first = outbound.post(`${url}/held`, { ...request, timeoutMs: 60_000 })
  const limited = { ...request, timeoutMs: 1_000 }
  const others = Promise.all(['/a', '/b'].map((path) => outbound.post(url + path, limited)))
  // Longer than the timeout of the waiting requests.
  setTimeout(held.resolve, 1_500)
  assert.deepEqual(
    [await first, ...(await others)].map(({ status }) => status),
    [200, 200, 200],
  )
  assert.deepEqual(got, ['/held', '/a', '/b'])
})

test('a refused connection is reported only by its code', async () => {
  const url = await listen(() => {})
  servers.at(-1)!.close()
  await assert.rejects(open({ allowPrivate: true }).post(url, request), {
    message: 'No connection: ECONNREFUSED.',
  })
})
