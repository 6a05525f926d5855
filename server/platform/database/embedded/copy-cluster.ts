import { constants } from 'node:fs'
import { chown, copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'

export type CopyOptions = {
  /** True if the path below the folder is copied. A skipped folder is skipped with its contents. */
  takes?: (path: string) => boolean
  /** The owner of the copy. Default: the current user. */
  account?: Account | undefined
  /** True if each file is flushed to disk before this returns. */
  flush?: boolean
  /** Called for each copied file. */
  onFile?: (bytes: number) => void
}

/**
 * Copies folders and plain files; files that disappear meanwhile are skipped. Folders are readable only by their owner.
 */
export async function copyFolder(from: string, to: string, options: CopyOptions, path = ''): Promise<void> {
  await mkdir(join(to, path), { mode: 0o700, recursive: true })
  await settle(join(to, path), options)
  for (const entry of await readdir(join(from, path), { withFileTypes: true }).catch(unlessGone)) {
    const below = join(path, entry.name)
    if (options.takes && !options.takes(below)) continue
    if (entry.isDirectory()) await copyFolder(from, to, options, below)
    else if (entry.isFile()) await copyOne(join(from, below), join(to, below), options)
  }
  if (options.flush) await flush(join(to, path))
}

/** The bytes of all plain files in a folder, recursively. */
export async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function copyOne(from: string, to: string, options: CopyOptions): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(unlessGone)
  const copied = await lstat(to).catch(unlessGone)
  if (!('size' in copied)) return
  await settle(to, options)
  if (options.flush) await flush(to)
  options.onFile?.(copied.size)
}

async function settle(path: string, { account }: CopyOptions): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unlessGone(error: unknown): never[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}
