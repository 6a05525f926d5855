/** The program of an earlier commit, from the history of this repository, with the packages of this one. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const bytesMax = 64 * 1024 * 1024

export interface EarlierProgram {
  /** Its `cli/main.ts`. */
  main: string
  remove(): void
}

/** Undefined where the history does not go back so far: in a shallow clone, or in a folder that is none. */
export function unpackProgram(commit: string): EarlierProgram | undefined {
  const archive = spawnSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: bytesMax })
  if (archive.status !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'fordra-earlier-'))
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout })
  if (unpacked.status !== 0) throw new Error(`tar failed: ${String(unpacked.stderr)}`)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { main: join(folder, 'cli/main.ts'), remove: () => rmSync(folder, { recursive: true }) }
}
