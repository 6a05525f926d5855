/** Takes whatever is posted to it, on a thread of its own: the other end of the webhooks that are measured. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end())
}).listen(0, '127.0.0.1')
await once(server, 'listening')
parentPort!.postMessage((server.address() as AddressInfo).port)
