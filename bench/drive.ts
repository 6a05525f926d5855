/** Sends requests as fast as they are answered and tells how fast that was: by wrk where it is installed, else by autocannon. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { headersOf, type Load } from './requests.ts'
import type { Figures } from './statistics.ts'

const run = promisify(execFile)

export interface Driver {
  name: string
  drive(load: Load): Promise<Figures>
}

/** wrk takes a fifth of autocannon's processor time, which on a small machine is the servers'. */
export function chooseDriver(folder: string): Driver {
  const { stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  const version = /wrk \S+/.exec(stdout ?? '')?.[0]
  return version === undefined
    ? { name: 'autocannon', drive: (load) => driveByAutocannon(load, folder) }
    : { name: version, drive: (load) => driveByWrk(load, folder) }
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
      ...headersOf(load, request),
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
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Figures
}
