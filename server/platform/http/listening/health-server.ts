/** Health checks and metrics on a port of their own, so that they do not wait behind the connections of clients. */
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'

const paths = /^\/(?:health\/(?:live|ready)|metrics)(?:\?|$)/
const elsewhere = 'Only /health/live, /health/ready and /metrics are answered on this port.\n'
const withinMs = 10_000

/** The service answers, and until it has finished its last request it says that it is stopping. */
export const createHealthServer = (http: FastifyInstance): Server =>
  createServer({ headersTimeout: withinMs, requestTimeout: withinMs }, (request, response) => {
    if (paths.test(request.url ?? '')) http.routing(request, response)
    else response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(elsewhere)
  })
