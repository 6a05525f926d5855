// What the steps of a release share: running programs, and lists of files.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, root } from '../bootstrap.mjs'

/** Runs a program and returns what it wrote to standard output; ends the release when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9, ...options })
  if (result.status === 0) return (result.stdout ?? '').trim()
  return fail(
    [`${command} ${args[0]} failed`, result.error?.message, result.stdout, result.stderr]
      .filter(Boolean)
      .join('\n'),
  )
}

/** The tracked files below the folders. */
export const listTracked = (...folders) =>
  run('git', ['ls-files', '-z', '--', ...folders])
    .split('\0')
    .filter(Boolean)

export function copyInto(folder, files) {
  for (const file of files) {
    fs.mkdirSync(dirname(join(folder, file)), { recursive: true })
    fs.cpSync(join(root, file), join(folder, file), { recursive: true })
  }
}

export const writeJson = (file, value) => fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
export const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))
export const hashFile = (file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex')
