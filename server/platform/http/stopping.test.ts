import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

// Node treats a connection without a request as busy for a minute; browsers open some in advance.
test('connections without a request do not delay the stop', { timeout: 40_000 }, async () => {
  const api = await startApi()
  const { port } = new URL(api.address)
  const opened = await Promise.all(
    ['', 'GET /health/live HTTP/1.1\r\nHo', 'GET /health/live HTTP/1.1\r\nHost: fordra\r\n\r\n'].map(
      async (sent) => {
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(sent)
        return socket
      },
    ),
  )
  const [, , asked] = opened
  await once(asked!, 'data')
  await Promise.all([api.close(), ...opened.map((socket) => socket.resume() && once(socket, 'close'))])
  assert.ok(opened.every(({ destroyed }) => destroyed))
})

test('a request that arrives while the node stops is refused with problem details', async () => {
  const api = await startApi()
  const { port } = new URL(api.address)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const body = JSON.stringify({ login: 'nobody@example.com', password: 'a wrong password' })
  // Hashing a password takes a while, so this request is running when the stop begins.
  socket.write(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await once(api.app.http.server, 'request')
  const closed = api.close()
  socket.write('GET /api/v1/debtors HTTP/1.1\r\nHost: x\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  await closed
  const [, first = '', second = ''] = text.split('HTTP/1.1 ')
  assert.match(first, /^401 /)
  for (const says of [/^503 /, /\r\nretry-after: 1\r\n/, /\r\ncontent-type: application\/problem\+json/]) {
    assert.match(second, says)
  }
  const problem = second.slice(second.indexOf('\r\n\r\n') + 4)
  assertProblem({ status: 503, text: problem }, 'overloaded', /node is stopping/)
})
