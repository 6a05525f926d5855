import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnusable } from '../database-unusable.ts'
import type { Binaries } from './binaries.ts'
import { runGuarded } from './guard.ts'
import type { Home } from './home.ts'
import { giveTo } from './home.ts'
import { detachArchive } from './log-archive.ts'

/** The database's superuser. Only the owner of the socket's folder and root can connect as it. */
export const superuser = 'fordra'
export const unfinishedPrefix = 'cluster-unfinished-'

/** Creates the cluster unless it exists. The caller holds the owner's lock. */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  options: { durable: boolean; report: (line: string) => void },
): Promise<void> {
  clearUnfinished(home)
  if (existsSync(home.cluster)) return checkMajorVersion(home, binaries)
  options.report(`Making a database in ${home.folder} (once)`)
  // Created under another name and renamed when complete: a killed start leaves nothing that looks like a cluster.
  const unfinished = mkdtempSync(join(home.folder, unfinishedPrefix))
  try {
    giveTo(unfinished, home.account)
    await runInitdb(home, binaries, { folder: unfinished, durable: options.durable })
    nameCluster(unfinished, home)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Gives a complete cluster its final name. */
export function nameCluster(unfinished: string, home: Home): void {
  detachArchive(home)
  renameSync(unfinished, home.cluster)
  flushFolder(home.folder)
}

/** A killed start's initdb ends a moment later. Files that it still uses are removed by a later start. */
export function clearUnfinished(home: Home): void {
  for (const name of readdirSync(home.folder).filter((entry) => entry.startsWith(unfinishedPrefix))) {
    try {
      rmSync(join(home.folder, name), { recursive: true, force: true })
    } catch {
      // It only takes up space.
    }
  }
}

export function checkMajorVersion(home: Home, binaries: Binaries): void {
  const file = join(home.cluster, 'PG_VERSION')
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (found === String(binaries.major)) return
  throw new DatabaseUnusable(
    found === undefined
      ? `The folder ${home.cluster} holds no PostgreSQL cluster. Move it away, or choose another FORDRA_DATA.`
      : `The database in ${home.cluster} was made by PostgreSQL ${found}, and this Fordra brings PostgreSQL ` +
          `${binaries.major}. Start the Fordra that made it and move the data by a dump, or choose another FORDRA_DATA.`,
  )
}

async function runInitdb(
  home: Home,
  binaries: Binaries,
  target: { folder: string; durable: boolean },
): Promise<void> {
  const characterType = findUtf8Locale()
  const log = openSync(`${home.log}.initdb`, 'w')
  try {
    const initdb = await runGuarded({
      command: join(binaries.folder, 'bin', 'initdb'),
      // The built-in provider sorts by code point on every system. The character type tells pg_trgm which bytes are
      // letters; with C alone å, ä and ö would not be letters.
      args: [
        `--pgdata=${target.folder}`,
        `--username=${superuser}`,
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        `--lc-ctype=${characterType}`,
        '--auth-local=trust',
        '--auth-host=reject',
        '--no-instructions',
        ...(target.durable ? [] : ['--no-sync']),
      ],
      account: home.account,
      environment: { LC_ALL: characterType },
      output: log,
    })
    const code = await initdb.exited
    if (code !== 0) {
      throw new DatabaseUnusable(
        `PostgreSQL could not make its cluster: ${describeOutput(`${home.log}.initdb`)}`,
      )
    }
  } finally {
    closeSync(log)
    rmSync(`${home.log}.initdb`, { force: true })
  }
}

function describeOutput(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const telling = lines.filter((line) => /(error|fatal|panic|hint|detail):/i.test(line))
  return (telling.length > 0 ? telling : lines.slice(-5)).join('; ').trim() || 'it said nothing'
}

/** A UTF-8 locale of this system. C if there is none: a search for parts of words then misses letters beyond ASCII. */
export function findUtf8Locale(): string {
  const listed = spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout ?? ''
  const locales = listed.split('\n').filter((name) => /\.utf-?8$/i.test(name))
  const preferred = [/^C\./, /^en_US\./, /^en_/, /./]
  return preferred.flatMap((pattern) => locales.filter((name) => pattern.test(name)))[0] ?? 'C'
}

/** Flushes the folder, so that the rename survives a power cut. */
function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
