import type { IncomingMessage } from 'node:http'

const bytesMax = 67_108_864
const millisecondsMax = 10_000
const silenceMax = 1_000

/**
 * Reads and drops the rest of a body, so that a client that sends all of it first can read the answer: closing a
 * connection with unread bytes discards the answer. Gives up after 64 MiB, after 10 s, or when nothing arrives for 1 s.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return
  if (Number(request.headers['content-length']) > bytesMax) return
  await new Promise<void>((resolve) => {
    let bytes = 0
    const timer = setTimeout(end, millisecondsMax)
    const silence = setTimeout(end, silenceMax)
    function end() {
      clearTimeout(timer)
      clearTimeout(silence)
      request.off('data', count).off('end', end).off('close', end)
      resolve()
    }
    function count(chunk: Buffer) {
      bytes += chunk.length
      silence.refresh()
      if (bytes > bytesMax) end()
    }
    request.on('data', count).once('end', end).once('close', end).resume()
  })
}
