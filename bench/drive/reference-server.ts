/** The reference over HTTP, by Node's own server; a process of its own. Takes the database's address and the pool's size. */
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '../../server/platform/database/database.ts'
import { openReference } from './reference.ts'

const [url, pool] = process.argv.slice(2) as [string, string]
const sql = openDatabase(url, { max: Number(pool), applicationName: 'fordra reference' })
const reference = openReference(sql)

async function readBody(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET') return ''
  let body = ''
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) body += chunk
  return body
}

const server = createServer((request, response) => {
  readBody(request)
    .then((body) => reference.answer(request.url!, body))
    .then(
      (text) => {
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
        })
        response.end(text)
      },
      (error: unknown) => {
        process.stderr.write(`${request.url}: ${String(error)}\n`)
        response.writeHead(500).end()
      },
    )
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`The reference answers at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
process.once('SIGTERM', () => {
  server.closeAllConnections()
  server.close(() => void sql.end({ timeout: 5 }))
})
