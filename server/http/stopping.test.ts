import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startApi } from '../testing/api.ts'

// Node itself counts a connection without a request as busy for a minute; browsers open some ahead.
test('connections that have brought no request do not hold up the stop', { timeout: 40_000 }, async () => {
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
