import { constants } from 'node:fs'
import { chown, copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'

export type CopyOptions = {
  /** Whether what has this path below the folder is copied; a folder that is not is left out with all in it. */
  takes?: (path: string) => boolean
  /** Whose the copy is; who copies, unless given. */
  account?: Account | undefined
  /** Whether each file is on disk when this returns. */
  flush?: boolean
  /** Told of each file that is copied. */
  onFile?: (bytes: number) => void
}

/** Copies folders and plain files; one that goes away meanwhile is left out. Folders are private to their owner. */
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

/** The bytes of the plain files in a folder and those below. */
export async function sizeOfFolder(folder: string): Promise<number> {
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
