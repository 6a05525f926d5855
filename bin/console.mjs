// Builds the console when it is missing or was built of other sources.
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { findNode, report, root } from './bootstrap.mjs'
import { keepSuperseded } from './superseded.mjs'

const dist = join(root, 'console', 'dist')
const stamp = join(dist, '.built-of')
const sources = ['console', 'client', 'contract', 'core', 'data']
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')

/** Whether the console is there, and built of these sources. */
export const isConsoleBuilt = () => readStamp() === describeSources()

/** Takes about two seconds, and some milliseconds when there is nothing to do. Never a reason not to start. */
export function ensureConsole() {
  const wanted = describeSources()
  if (readStamp() === wanted) return
  if (!fs.existsSync(vite)) {
    report('The console is not built: that needs the development packages (npm ci). The API runs without it.')
    return
  }
  report('Building the console')
  // Beside the old one, which a server that runs goes on serving; then put in its place.
  const fresh = `${dist}-${process.pid}`
  const result = spawnSync(findNode(), [vite, 'build', 'console', '--outDir', fresh, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  try {
    if (result.status !== 0) throw new Error('vite build failed, see above')
    fs.writeFileSync(join(fresh, '.built-of'), wanted)
    keepSuperseded(dist, fresh)
    if (fs.existsSync(dist)) fs.renameSync(dist, `${fresh}-before`)
    fs.renameSync(fresh, dist)
    fs.rmSync(`${fresh}-before`, { recursive: true, force: true })
  } catch (error) {
    fs.rmSync(`${fresh}-before`, { recursive: true, force: true })
    fs.rmSync(fresh, { recursive: true, force: true })
    // Another start has built it at the same time.
    if (readStamp() !== wanted)
      report(`The console could not be built: ${error.message}. The API runs without it.`)
  }
}

function readStamp() {
  try {
    return fs.readFileSync(stamp, 'utf8')
  } catch {
    return undefined
  }
}

/** What the build is made of: every source file and the lockfile. */
function describeSources() {
  const hash = createHash('sha256')
  const files = sources.flatMap((room) => listFiles(room)).filter((file) => !file.endsWith('.test.ts'))
  for (const file of [...files.toSorted(), 'package-lock.json']) {
    hash
      .update(file)
      .update('\0')
      .update(fs.readFileSync(join(root, file)))
      .update('\0')
  }
  return `${hash.digest('hex')}\n`
}

function listFiles(folder) {
  return fs.readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (!entry.isDirectory()) return [path]
    return entry.name.startsWith('dist') ? [] : listFiles(path)
  })
}
