#!/usr/bin/env node
// Runs all tests: node bin/test.mjs [options of node --test] [files]. Without files: every *.test.ts of every room.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureDependencies, fail, report, root, runProgram } from './bootstrap.mjs'
import { ensureConsole } from './console.mjs'

const rooms = ['contract', 'core', 'client', 'console', 'server', 'services', 'cli', 'test', 'bench']

await ensureDependencies({ development: true })
const options = process.argv.slice(2).filter((argument) => !isTestFile(argument))
const named = process.argv.slice(2).filter(isTestFile)
const missing = options.filter((argument) => argument.endsWith('.test.ts') && !argument.startsWith('-'))
if (missing.length > 0) fail(`There is no such test file: ${missing.join(', ')}.`)
const files = named.length > 0 ? named : rooms.flatMap((room) => findTests(join(root, room))).toSorted()
ensureConsole()
if (files.length === 0) fail(`No *.test.ts found in ${rooms.join(', ')}: nothing was tested.`)
runProgram('server/testing/run-tests.ts', [...options, ...files], prepareBrowser(files))

function isTestFile(argument) {
  return argument.endsWith('.test.ts') && fs.existsSync(argument)
}

function findTests(folder) {
  if (!fs.existsSync(folder)) return []
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return /^(node_modules|dist.*)$/.test(entry.name) ? [] : findTests(path)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
}

/** The environment that tells browser tests where the browser is, or to say that they are skipped. */
function prepareBrowser(testFiles) {
  const needed = testFiles.some((file) => /playwright|FORDRA_CHROMIUM/.test(fs.readFileSync(file, 'utf8')))
  if (!needed) return {}
  const browser = findBrowser() ?? installBrowser()
  if (browser) return { FORDRA_CHROMIUM: browser }
  report('No Chromium found: browser tests are skipped. Install it, or set FORDRA_CHROMIUM to its program.')
  return { FORDRA_NO_BROWSER: '1' }
}

function findBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
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
  run(['install', '-y', '--no-install-recommends', 'chromium'])
  return findBrowser()
}
