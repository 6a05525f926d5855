/** Requests as no HTTP library would send them, over a socket of the test's own. */
import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Sends the bytes as they are and reads until the server closes the connection; `connection: close` makes it do so. */
export async function sendRaw(address: string, ...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server that refuses early may reset the connection while the rest is still being written.
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await closed
  return parseAnswer(Buffer.concat(chunks).toString('utf8'))
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = splitOnce(text, '\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name, value] = splitOnce(line, ':')
      return [name.toLowerCase(), value.trim()]
    }),
  )
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : body,
  }
}

function splitOnce(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** Enough for answers in ASCII, where characters are bytes. */
function joinChunks(text: string): string {
  let [joined, rest] = ['', text]
  for (;;) {
    const [size, after] = splitOnce(rest, '\r\n')
    const length = Number.parseInt(size, 16)
    if (!(length > 0)) return joined
    joined += after.slice(0, length)
    rest = after.slice(length + 2)
  }
}
