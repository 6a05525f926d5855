// Keeps files of earlier builds of the console: a service that runs names them still, and browsers load them late.
import * as fs from 'node:fs'
import { join } from 'node:path'

const list = '.superseded.json'
const keptMs = 7 * 86_400_000

/**
 * Copies the assets of the build in `old` that the one in `fresh` lacks. Each is kept for a week.
 * @param {string} old
 * @param {string} fresh
 */
export function keepSuperseded(old, fresh, now = Date.now()) {
  const [from, to] = [join(old, 'assets'), join(fresh, 'assets')]
  if (!fs.existsSync(from)) return
  const before = readList(old)
  const kept = {}
  for (const name of fs.readdirSync(from)) {
    const since = before[name] ?? now
    if (fs.existsSync(join(to, name)) || now - since > keptMs) continue
    fs.copyFileSync(join(from, name), join(to, name))
    kept[name] = since
  }
  fs.writeFileSync(join(fresh, list), JSON.stringify(kept))
}

/**
 * Removes the assets of earlier builds, which a release does not have.
 * @param {string} folder
 */
export function dropSuperseded(folder) {
  for (const name of Object.keys(readList(folder))) fs.rmSync(join(folder, 'assets', name), { force: true })
  fs.rmSync(join(folder, list), { force: true })
}

function readList(folder) {
  try {
    return JSON.parse(fs.readFileSync(join(folder, list), 'utf8'))
  } catch {
    return {}
  }
}
