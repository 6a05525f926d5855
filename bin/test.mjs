#!/usr/bin/env node
// Runs tests: node bin/test.mjs [options of node --test] [files and folders]. Without any: every *.test.ts of every room.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureDependencies, fail, report, root, runProgram } from './bootstrap.mjs'
import { ensureConsole } from './console.mjs'

const rooms = ['contract', 'core', 'client', 'console', 'server', 'services', 'cli', 'test', 'bench']

await ensureDependencies({ development: true })
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const places = named.length > 0 ? named : rooms.map((room) => join(root, room))
const found = places.map((place) => ({ place, files: findTests(place) }))
const empty = found.filter(({ files }) => files.length === 0).map(({ place }) => place)
if (empty.length > 0) fail(`No *.test.ts found in ${empty.join(', ')}.`)
const files = [...new Set(found.flatMap((one) => one.files))]
ensureConsole()
runProgram('server/testing/run-tests.ts', [...options, ...files], prepareBrowser(files))

/** The test files at a path: itself, or those in its folder. */
function findTests(path) {
  if (!fs.existsSync(path)) return []
  if (!fs.statSync(path).isDirectory()) return path.endsWith('.test.ts') ? [path] : []
  return fs
    .readdirSync(path)
    .filter((name) => !/^(node_modules|dist.*)$/.test(name))
    .flatMap((name) => findTests(join(path, name)))
}

/** The environment that tells browser tests where the browser is, or to say that they are skipped. */
function prepareBrowser(testFiles) {
  const needed = testFiles.some((file) =>
    /playwright|FORDRA_CHROMIUM|browser\.ts/.test(fs.readFileSync(file, 'utf8')),
  )
  if (!needed) return {}
  const browser = findBrowser() ?? installBrowser()
  if (browser) return { FORDRA_CHROMIUM: browser }
  report('No Chromium found: browser tests are skipped. Install it, or set FORDRA_CHROMIUM to its program.')
  return { FORDRA_NO_BROWSER: '1' }
}

function findBrowser() {
  // The first draws no window frame, which costs a quarter less processor time.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
  ]
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [
    process.env.FORDRA_CHROMIUM ?? '',
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((file) => file !== '' && fs.existsSync(file))
}

function installBrowser() {
  if (process.getuid?.() !== 0 || !fs.existsSync('/etc/debian_version')) return undefined
  report('Installing Chromium for the browser tests (apt-get)')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (args) => spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 2, 2], env: environment })
  run(['update'])
  run(['install', '-y', '--no-install-recommends', 'chromium-headless-shell'])
  return findBrowser()
}
