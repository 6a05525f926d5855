/** Sends traces and metrics to an OpenTelemetry collector. Loaded only if one is configured. */
import { randomUUID } from 'node:crypto'
import type { Settings } from '../config.ts'
import { onObserved, registry } from './metrics.ts'
import { version } from '../version.ts'
import { toOtlpMetrics } from './otlp-metrics.ts'
import { nanoseconds, createSpan, text, type Span } from './otlp-trace.ts'

const sendEveryMs = 5_000
const metricsEveryMs = 15_000
const withinMs = 5_000
/** Spans beyond this backlog are dropped: an unreachable collector must not fill the memory. */
const waitingMax = 4_096

export interface Telemetry {
  /** Sends what is left. Never throws. */
  stop(): Promise<void>
}

const scope = { name: 'fordra', version }
/** The instance id separates the counters of nodes. Otherwise they would look like one counter that jumps. */
const resource = {
  attributes: [
    text('service.name', 'fordra'),
    text('service.version', version),
    text('service.instance.id', randomUUID()),
  ],
}

export function startTelemetry(
  settings: Settings & { FORDRA_OTLP_URL: string },
  onError: (error: unknown) => void,
): Telemetry {
  const base = settings.FORDRA_OTLP_URL.replace(/\/+$/, '')
  const headers = { 'content-type': 'application/json', ...readHeaders(settings.FORDRA_OTLP_HEADERS) }
  const startNano = nanoseconds(Date.now())
  let waiting: Span[] = []
  const forget = onObserved((observed) => {
    const span = createSpan(observed, settings.FORDRA_TRACE_PERCENT, Date.now())
    if (span && waiting.length < waitingMax) waiting.push(span)
  })
  const post = async (path: string, body: object) => {
    const signal = AbortSignal.timeout(withinMs)
    const asking = fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body), signal })
    const response = await asking.catch((error: unknown) => {
      const why = signal.aborted ? `did not answer within ${withinMs / 1_000} s` : describeCause(error)
      throw new Error(`The OpenTelemetry collector ${why}.`, { cause: error })
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`The OpenTelemetry collector answered ${response.status} to ${path}.`)
  }
  const sendSpans = async () => {
    const spans = waiting
    if (spans.length === 0) return
    waiting = []
    await post('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] })
  }
  const sendMetrics = async () => {
    const metrics = toOtlpMetrics(await registry.getMetricsAsJSON(), startNano, nanoseconds(Date.now()))
    await post('/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] })
  }
  const loops = [
    setInterval(() => void sendSpans().catch(onError), sendEveryMs).unref(),
    ...(settings.FORDRA_METRICS === 1
      ? [setInterval(() => void sendMetrics().catch(onError), metricsEveryMs).unref()]
      : []),
  ]
  return {
    stop: async () => {
      for (const loop of loops) clearInterval(loop)
      forget()
      await Promise.all([sendSpans(), settings.FORDRA_METRICS === 1 && sendMetrics()]).catch(onError)
    },
  }
}

/** Of a failed `fetch`, whose own message is that it failed. */
const describeCause = (error: unknown) => {
  const { cause } = error as { cause?: { code?: unknown } }
  return `could not be reached (${String(cause?.code ?? (error as Error).message)})`
}

/** `name=value,name=value` with percent-encoded values, as in OpenTelemetry's own variable. */
function readHeaders(given: string | undefined): Record<string, string> {
  const pairs = (given ?? '').split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())]
    }),
  )
}
