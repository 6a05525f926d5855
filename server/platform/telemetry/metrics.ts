/** Metrics for Prometheus, and the log line of each request. */
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { formOperationList } from '../../../contract/metadata/form-operations.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { agencyItself } from '../http/caller.ts'

export const registry = new Registry()

const durations = new Histogram({
  name: 'fordra_request_seconds',
  help: 'Time from the request to the end of its answer.',
  labelNames: ['operation', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
})

let countInFlight = () => 0
registry.registerMetric(
  new Gauge({
    name: 'fordra_requests_in_flight',
    help: 'Requests being worked on.',
    registers: [],
    collect() {
      this.set(countInFlight())
    },
  }),
)

export const droppedLines = new Counter({
  name: 'fordra_log_lines_dropped_total',
  help: 'Log lines that were dropped because nobody read them in time.',
  registers: [registry],
})

export function observeInFlight(read: () => number): void {
  countInFlight = read
}

let collects = false

/** Collects the metrics of the process, once for however many servers it runs. */
export function collectProcessMetrics(): void {
  if (!collects) collectDefaultMetrics({ register: registry })
  collects = true
}

interface OperationConfig {
  operation?: Operation
}

const formOperations = new Map(formOperationList.map(({ method, path, name }) => [`${method} ${path}`, name]))

/** The operationId of the API document: of a form that of its own operation. Names come from the contract alone. */
function nameOperation({ method, params, routeOptions }: FastifyRequest): string {
  const { operation } = routeOptions.config as OperationConfig
  if (!operation) return 'other'
  if (!operation.path.startsWith('/system/forms/')) return operation.name
  const { entity, type } = params as { entity: string; type: string }
  return formOperations.get(`${method} /system/forms/${entity}/${type}`) ?? operation.name
}

/** An answered request, for the log, the metrics and the traces. */
export interface Observed {
  requestId: string
  /** Its operationId in the API document. */
  operation: string
  method: string
  /** The route's path template; null without a route. */
  route: string | null
  status: number
  ms: number
  /** The caller's `traceparent`, unchecked. */
  traceParent: unknown
}

const listeners = new Set<(observed: Observed) => void>()

/** Calls the listener for each answered request, until the returned function is called. */
export function onObserved(listener: (observed: Observed) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function observe(log: FastifyBaseLogger, request: FastifyRequest, reply: FastifyReply): void {
  const name = nameOperation(request)
  const ms = reply.elapsedTime
  durations.observe({ operation: name, status: reply.statusCode }, ms / 1000)
  const line = {
    requestId: request.id,
    operation: name,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    ms: Math.round(ms * 10) / 10,
  }
  // Who calls a public operation has no user.
  const { userId } = request.caller ?? agencyItself
  log.info({ ...line, caller: userId === agencyItself.userId ? null : userId, address: request.ip })
  for (const tell of listeners) tell({ ...line, ms, traceParent: request.headers['traceparent'] })
}
