/** Converts the metrics of /metrics to OTLP in JSON (POST /v1/metrics), for collectors that receive pushes. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { text, type Attribute } from './otlp-trace.ts'

export type Metric = MetricObjectWithValues<MetricValue<string>>
type Value = MetricValue<string> & { metricName?: string }

/** AGGREGATION_TEMPORALITY_CUMULATIVE: counted since the process started. */
const cumulative = 2

export function toOtlpMetrics(metrics: readonly Metric[], startNano: string, nowNano: string): object[] {
  return metrics.flatMap((metric): object[] => {
    const times = { startTimeUnixNano: startNano, timeUnixNano: nowNano }
    const { name, help: description, values } = metric
    if (values.length === 0) return []
    const points = () =>
      values.map(({ value, labels }) => ({ ...times, asDouble: value, attributes: toAttributes(labels) }))
    switch (String(metric.type)) {
      case 'counter':
        return [
          {
            name,
            description,
            sum: { isMonotonic: true, aggregationTemporality: cumulative, dataPoints: points() },
          },
        ]
      case 'gauge':
        return [{ name, description, gauge: { dataPoints: points() } }]
      case 'histogram':
        return [
          {
            name,
            description,
            histogram: { aggregationTemporality: cumulative, dataPoints: toHistogram(metric, times) },
          },
        ]
      default:
        // Summaries have no recommended equivalent.
        return []
    }
  })
}

function toHistogram(metric: Metric, times: object): object[] {
  const groups = Map.groupBy(metric.values as Value[], ({ labels }) => {
    const { le: _le, ...own } = labels as Record<string, unknown>
    return JSON.stringify(own)
  })
  return [...groups].map(([labels, values]) => {
    const buckets = values.filter(({ metricName }) => metricName?.endsWith('_bucket'))
    const findValue = (end: string) => values.find(({ metricName }) => metricName?.endsWith(end))?.value ?? 0
    const bounds = buckets
      .map(({ labels: own }) => Number((own as { le: unknown }).le))
      .filter(Number.isFinite)
    const upTo = buckets.map(({ value }) => value)
    return {
      ...times,
      attributes: toAttributes(JSON.parse(labels) as object),
      count: String(findValue('_count')),
      sum: findValue('_sum'),
      explicitBounds: bounds,
      // Prometheus buckets are cumulative, OTLP buckets are not.
      bucketCounts: upTo.map((count, index) => String(count - (upTo[index - 1] ?? 0))),
    }
  })
}

const toAttributes = (labels: object): Attribute[] =>
  Object.entries(labels).map(([key, value]) => text(key, String(value)))
