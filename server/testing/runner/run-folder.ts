import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryFolder = '/dev/shm'
const prefix = 'fordra-tests-'
/** A run holds a few hundred megabytes at a time. */
const leastFreeBytes = 4 * 2 ** 30

/**
 * Makes the folder for all temporary files of a run: in memory where there is room, because a database has about a
 * thousand files, and each test file makes and drops one. Otherwise in the system's temporary folder.
 */
export function makeRunFolder(): string {
  if (isRoomInMemory()) {
    removeAbandoned()
    const folder = makeIn(memoryFolder)
    if (canRunPrograms(folder)) return folder
    rmSync(folder, { recursive: true })
  }
  return makeIn(tmpdir())
}

function makeIn(parent: string): string {
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // Root's PostgreSQL runs as somebody else, who must be able to pass through.
  chmodSync(folder, 0o711)
  return folder
}

function isRoomInMemory(): boolean {
  if (!existsSync(memoryFolder)) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= leastFreeBytes && process.availableMemory() >= leastFreeBytes
}

/** False where the folder is mounted without permission to run programs. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}

/** The folders of runs that were killed would fill the memory. */
function removeAbandoned(): void {
  for (const name of readdirSync(memoryFolder)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (pid > 0 && !existsSync(`/proc/${pid}`))
      rmSync(join(memoryFolder, name), { recursive: true, force: true })
  }
}
