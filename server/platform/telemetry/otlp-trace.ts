/**
 * Spans of requests as OTLP in JSON (OpenTelemetry Protocol 1.x, POST /v1/traces), with the semantic conventions for
 * HTTP servers 1.x. Only the path template is sent: the path itself may contain personal data.
 */
import { randomBytes } from 'node:crypto'
import type { Observed } from './metrics.ts'

export interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number }
}
export interface Attribute {
  key: string
  value: { stringValue: string } | { intValue: string }
}

/** SPAN_KIND_SERVER and STATUS_CODE_ERROR. */
const [server, failed] = [2, 2]
const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

interface Parent {
  traceId: string
  spanId: string
  sampled: boolean
}

/** W3C Trace Context; undefined for a missing or malformed header. */
export function readTraceParent(header: unknown): Parent | undefined {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(String(header ?? ''))
  const [, traceId = noTrace, spanId = noSpan, flags = '00'] = found ?? []
  if (traceId === noTrace || spanId === noSpan || String(header).startsWith('ff')) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The span of an answered request; undefined when its caller, or sampling, decides not to trace it. */
export function createSpan(observed: Observed, samplePercent: number, now: number): Span | undefined {
  const { operation, method, route, status, ms, requestId, traceParent } = observed
  const parent = readTraceParent(traceParent)
  if (parent ? !parent.sampled : Math.random() * 100 >= samplePercent) return undefined
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent && { parentSpanId: parent.spanId }),
    name: route === null ? method : `${method} ${route}`,
    kind: server,
    startTimeUnixNano: nanoseconds(now - ms),
    endTimeUnixNano: nanoseconds(now),
    attributes: [
      text('http.request.method', method),
      ...(route === null ? [] : [text('http.route', route)]),
      { key: 'http.response.status_code', value: { intValue: String(status) } },
      text('fordra.operation', operation),
      text('fordra.request_id', requestId),
    ],
    // A client error is not an error of the server.
    status: status >= 500 ? { code: failed } : {},
  }
}

export const text = (key: string, value: string): Attribute => ({ key, value: { stringValue: value } })
export const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`
