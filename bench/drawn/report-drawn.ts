/** The tables of a drawn run. */
import { computeMedian, computeMedianRatio } from '../report/statistics.ts'
import { formatTable } from '../report/table.ts'
import type { CellBlocks } from './cell-blocks.ts'
import { cellName } from './cells.ts'
import { findMoves, type Series } from './compare-runs.ts'
import type { CellResult, Side } from './measure-cell.ts'

export interface DrawnRun {
  debtors: number
  seconds: number
  rounds: number
  seed: number
  postgresql?: string
  cells: CellResult[]
  blocks: Record<string, CellBlocks>
}

const heading = [
  'requests, caller, beside',
  'req/s',
  'from–to',
  'p50 ms',
  'p99 ms',
  'first p50',
  'p99',
  'errors',
  'µs node',
  'µs pg',
  'of reference',
  'from–to',
  'by CPU',
  'of pgbench',
  'load',
]

const number = (value: number) =>
  Number.isNaN(value) ? '-' : value < 100 ? value.toFixed(1) : value.toFixed(0)
const share = (value: number) => `${(value * 100).toFixed(0)}%`
const range = (values: readonly number[], format: (value: number) => string) =>
  `${format(Math.min(...values))}–${format(Math.max(...values))}`
const or = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? '-' : format(value)

const sumCpu = ({ cpu: { server, database } }: Side) =>
  server === null || database === null ? null : server + database
const ratios = ({ product, reference }: CellResult): number[] =>
  reference ? product.rates.map((rate, round) => rate / reference.rates[round]!) : []

function formatCell(cell: CellResult): string[] {
  const { product, reference, first, anchor, load } = cell
  const ofReference = ratios(cell)
  const [own, other] = [sumCpu(product), reference ? sumCpu(reference) : null]
  return [
    cellName(cell),
    number(computeMedian(product.rates)),
    range(product.rates, number),
    number(product.p50),
    number(product.p99),
    or(first?.p50, number),
    or(first?.p99, number),
    String(product.errors + (reference?.errors ?? 0)),
    or(product.cpu.server, number),
    or(product.cpu.database, number),
    ofReference.length === 0 ? '-' : share(computeMedian(ofReference)),
    ofReference.length === 0 ? '-' : range(ofReference, share),
    own === null || other === null ? '-' : share(other / own),
    or(computeMedianRatio(product.rates, anchor), share),
    number(load),
  ]
}

function formatBlocks(blocks: DrawnRun['blocks']): string {
  const rows = Object.entries(blocks).map(([name, { product, reference }]) => [
    name,
    String(product.median),
    String(product.most),
    or(reference?.median, String),
    or(reference?.most, String),
    product.worst.length > 110 ? `${product.worst.slice(0, 107)}...` : product.worst,
  ])
  return formatTable(
    ['blocks read by one request', 'median', 'most', 'reference', 'most', 'the request that read the most'],
    rows,
  )
}

function formatChecks(cells: readonly CellResult[]): string {
  const checks = cells.flatMap(({ checks: made }) => made ?? [])
  const sum = (of: (one: (typeof checks)[number]) => number) => checks.reduce((all, one) => all + of(one), 0)
  return `Totals checked beside writes: ${sum(({ exact }) => exact)} exact, ${sum(({ between }) => between)} between two counts, ${sum(({ wrong }) => wrong.length)} wrong.`
}

/** Rates by the reference's of the same round, else by pgbench's; and blocks. Rates alone would show the machine's moods. */
const listSeries = ({ cells, blocks }: DrawnRun): Series[] => [
  ...cells.map((cell) => ({
    name: `${cellName(cell)}: ${cell.reference ? 'of the reference' : 'of pgbench'}`,
    values: cell.reference
      ? ratios(cell)
      : cell.product.rates.flatMap((rate, round) =>
          cell.anchor[round] === undefined ? [] : rate / cell.anchor[round],
        ),
  })),
  ...Object.entries(blocks).map(([name, { product }]) => ({
    name: `${name}: median of blocks`,
    values: [product.median],
  })),
]

function formatMoves(run: DrawnRun, last: DrawnRun): string {
  if (last.seed !== run.seed || last.rounds !== run.rounds)
    return 'The last run had another seed or other rounds, so it is not compared.'
  const moves = findMoves(listSeries(last), listSeries(run))
  if (moves.length === 0) return 'Nothing moved beyond noise since the last run.'
  const rows = moves.map(({ name, before, now }) => [name, before.toPrecision(3), now.toPrecision(3)])
  return formatTable(['moved beyond noise since the last run', 'before', 'now'], rows)
}

export function formatRun(run: DrawnRun, last: DrawnRun | null): string {
  const { debtors, seed, seconds, rounds } = run
  return [
    `${debtors} debtors with a case each, 500 clients, seed ${seed}; 16 connections, medians of ${rounds} rounds of ${seconds} s, in turns with the reference and pgbench.`,
    `Node ${process.version}, PostgreSQL ${run.postgresql ?? ''}. "first": the first answers of a service that has just started, in ms.`,
    '',
    formatTable(heading, run.cells.map(formatCell)),
    '',
    formatBlocks(run.blocks),
    '',
    formatChecks(run.cells),
    '',
    last === null ? 'There is no earlier run to compare with.' : formatMoves(run, last),
  ].join('\n')
}
