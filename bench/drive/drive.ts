/** Sends requests as fast as they are answered and tells how fast that was: by wrk where it is installed, and by autocannon. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildHeaders, type Load } from './requests.ts'
import type { Figures } from '../report/statistics.ts'

const run = promisify(execFile)

export interface Driver {
  name: string
  drive(load: Load): Promise<Figures>
  /** The same where percentiles matter more than the rate. */
  driveForLatency(load: Load): Promise<Figures>
}

/**
 * Rates come from wrk where it is installed: a request costs it 13 µs of processor time and autocannon 25, which on a
 * small machine are the servers'. Percentiles come from autocannon: wrk adds invented samples below every long one
 * ("coordinated omission"), which makes the 99th percentile of a loop without a fixed rate several times too long.
 */
export function chooseDriver(folder: string): Driver {
  const { stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  const version = /wrk \S+/.exec(stdout ?? '')?.[0]
  const driveForLatency = (load: Load) => driveByAutocannon(load, folder)
  return version === undefined
    ? { name: 'autocannon', drive: driveForLatency, driveForLatency }
    : {
        name: `${version} (percentiles: autocannon)`,
        drive: (load) => driveByWrk(load, folder),
        driveForLatency,
      }
}

async function driveByWrk(load: Load, folder: string): Promise<Figures> {
  const file = join(folder, 'requests.txt')
  await writeFile(file, writeRequests(load))
  const { stdout } = await run('wrk', [
    '--threads=1',
    `--connections=${load.connections}`,
    `--duration=${load.seconds}s`,
    '--timeout=30s',
    `--script=${join(import.meta.dirname, 'wrk.lua')}`,
    load.address,
    '--',
    file,
  ])
  return readFigures(stdout)
}

/** Each request as it goes over the wire, after a line with its length in bytes. */
function writeRequests(load: Load): Buffer {
  const parts = load.requests.map((request) => {
    const body = request.body === undefined ? '' : JSON.stringify(request.body)
    const headers = {
      host: new URL(load.address).host,
      ...buildHeaders(load, request),
      ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const text = `${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
    return `${Buffer.byteLength(text)}\n${text}`
  })
  return Buffer.from(parts.join(''))
}

/** A process of its own, so that it does not share a thread with us. */
async function driveByAutocannon(load: Load, folder: string): Promise<Figures> {
  const file = join(folder, 'load.json')
  await writeFile(file, JSON.stringify(load))
  const { stdout } = await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'autocannon-process.ts'),
    file,
  ])
  return readFigures(stdout)
}

/** Both print their figures as the last line. */
function readFigures(stdout: string): Figures {
  const figures = JSON.parse(stdout.trim().split('\n').at(-1)!) as Figures
  // JSON writes null for the latencies of a run without an answer.
  return { ...figures, p50: figures.p50 ?? Number.NaN, p99: figures.p99 ?? Number.NaN }
}
