/** The tables of `npm run bench -- overload`. */
import type { Sent } from '../drive/open-loop.ts'
import type { Cpu } from './statistics.ts'
import { formatTable } from './table.ts'

/** The slowest check on the port for health checks, and on that of clients; Infinity if one failed. */
export type HealthMs = readonly number[]

export interface Measured {
  sent: Sent
  /** As planned, and as measured until the last request was sent. */
  seconds: number
  elapsed: number
  cpu: Cpu & { generator: number }
  healthMs: HealthMs
}

export interface Overload extends Measured {
  users: number
  /** Requests that arrive in a second. */
  offered: number
}

export interface Recovery {
  /** Seconds; null if not within the time that was watched. */
  normalAfter: number | null
  healthMs: HealthMs
}

export interface OverloadRun {
  peak: Measured
  half: Measured
  /** The 95th percentile at half of the peak. */
  normalMs: number
  overloads: readonly { load: Overload; recovery: Recovery }[]
}

export const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0)
/** Requests answered within the measurement, per second. */
export const goodput = ({ sent, seconds }: Measured): number => sum(sent.answered) / seconds
const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`
const share = (seconds: number | null, elapsed: number) =>
  seconds === null ? '-' : percent(seconds, elapsed)

export function formatOverload({ peak, half, normalMs, overloads }: OverloadRun): string {
  const rows = overloads.map(({ load, recovery }) => [
    `${load.users} users`,
    String(Math.round(load.offered)),
    percent(goodput(load), goodput(peak)),
    ...['read', 'list', 'write'].map((kind) => percentOfKind(kind, load, peak)),
    String(load.sent.refused),
    String(load.sent.unsent),
    describeWrong(load.sent.wrong),
    ...load.healthMs.map((ms, port) => String(Math.round(Math.max(ms, recovery.healthMs[port] ?? 0)))),
    recovery.normalAfter === null ? 'not' : String(recovery.normalAfter),
  ])
  const cpuRows = [
    ['peak', peak] as const,
    ['half of the peak', half] as const,
    ...overloads.map(({ load }) => [`${load.users} users`, load] as const),
  ].map(([name, measured]) => cpuRow(name, measured, peak))
  return [
    `Peak: ${Math.round(goodput(peak))} answers a second. At half of it the 95th percentile is ${normalMs.toFixed(1)} ms.`,
    '',
    formatTable(
      [
        '5 times the peak',
        'arrive/s',
        'answered, of the peak',
        'reads',
        'lists',
        'writes',
        'refused with Retry-After',
        'no connection free',
        'anything else',
        'slowest health check, own port (ms)',
        'on the port of clients (ms)',
        'normal after (s)',
      ],
      rows,
    ),
    '',
    formatTable(
      ['processor time, of one core', 'service', 'PostgreSQL', 'generator', 'service, µs per refusal'],
      cpuRows,
    ),
  ].join('\n')
}

const percentOfKind = (kind: string, load: Measured, peak: Measured) =>
  percent((load.sent.answered[kind] ?? 0) / load.seconds, (peak.sent.answered[kind] ?? 0) / peak.seconds)

const describeWrong = (wrong: Sent['wrong']) =>
  sum(wrong) === 0
    ? '0'
    : Object.entries(wrong)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')

function cpuRow(name: string, measured: Measured, peak: Measured): string[] {
  const { cpu, elapsed, sent } = measured
  const perRefusal = sent.refused === 0 ? null : microsPerRefusal(measured, peak)
  return [
    name,
    share(cpu.server, elapsed),
    share(cpu.database, elapsed),
    share(cpu.generator, elapsed),
    perRefusal === null ? '-' : String(Math.round(perRefusal)),
  ]
}

/** What the service used beyond what its answers take at the peak. */
function microsPerRefusal({ cpu, sent }: Measured, peak: Measured): number | null {
  if (cpu.server === null || peak.cpu.server === null) return null
  const perAnswer = peak.cpu.server / sum(peak.sent.answered)
  return (1e6 * (cpu.server - perAnswer * sum(sent.answered))) / sent.refused
}
