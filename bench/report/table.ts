/** The results as a table of text, each with a mark for every target it has. */
import type { ScenarioKind } from '../scenarios/scenarios.ts'
import type { Result } from '../drive/measure.ts'

/** What is to be reached with 16 connections; other numbers of connections are shown without marks. */
export const targetConnections = 16
const targets = {
  ofBare: { read: 0.7, filtered: 0.7, write: 0.5 } satisfies Record<ScenarioKind, number>,
  ofPgbench: 0.6,
  /** The 99th percentile by the median. */
  spread: 10,
}

/** Columns as wide as their longest cell, the first to the left and the others to the right. */
export function formatTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd()
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const heading = [
  'scenario',
  'conn',
  'req/s',
  'p50 ms',
  'p99 ms',
  'p99/p50',
  'errors',
  'CPU s node',
  'pg',
  'µs/req node',
  'pg',
  'bare/s',
  'of bare',
  'by CPU',
  'pgbench/s',
  'of pgbench',
]

export const formatResults = (results: readonly Result[]): string =>
  formatTable(heading, results.map(formatCells))

function formatCells(result: Result): string[] {
  const { product, bare, cpu, cpuPerAnswer, connections, kind } = result
  const marked = connections === targetConnections
  const spread = product.p99 / product.p50
  const mark = (text: string, reached: boolean) => (marked ? `${text} ${formatMark(reached)}` : text)
  const ofPgbench = result.ofPgbench === null ? '-' : formatShare(result.ofPgbench)
  return [
    result.scenario,
    String(connections),
    formatRate(product.rate),
    formatMs(product.p50),
    formatMs(product.p99),
    mark(spread.toFixed(1), spread < targets.spread),
    mark(String(product.errors + bare.errors), product.errors + bare.errors === 0),
    formatOr(cpu.server, (value) => value.toFixed(2)),
    formatOr(cpu.database, (value) => value.toFixed(2)),
    formatOr(cpuPerAnswer.server, (value) => value.toFixed(0)),
    formatOr(cpuPerAnswer.database, (value) => value.toFixed(0)),
    formatRate(bare.rate),
    mark(formatShare(result.ofBare), result.ofBare >= targets.ofBare[kind]),
    formatOr(result.ofBareCpu, formatShare),
    formatOr(result.pgbench, formatRate),
    kind === 'filtered' && result.ofPgbench !== null
      ? mark(ofPgbench, result.ofPgbench >= targets.ofPgbench)
      : ofPgbench,
  ]
}

export const legend =
  `✓ and ✗: the targets with ${targetConnections} connections. Of the bare route: ${formatShare(targets.ofBare.read)} of reads, ` +
  `${formatShare(targets.ofBare.write)} of writes; filtered lists: ${formatShare(targets.ofPgbench)} of pgbench; p99 under ${targets.spread} times p50; no errors. ` +
  'By CPU: the share of the bare route by processor time alone, whatever else runs on the machine.'

export const formatMark = (reached: boolean): string => (reached ? '✓' : '✗')
const formatOr = (value: number | null, format: (value: number) => string): string =>
  value === null ? '-' : format(value)

function formatRate(rate: number): string {
  return rate < 100 ? rate.toFixed(1) : rate.toFixed(0)
}

function formatMs(ms: number): string {
  return ms < 10 ? ms.toFixed(2) : ms.toFixed(1)
}

function formatShare(share: number): string {
  return `${(share * 100).toFixed(0)}%`
}
