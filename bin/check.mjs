#!/usr/bin/env node
// Everything that is checked besides the tests: format, lint, types, known holes in what is shipped.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureDependencies, findNode, report, root, runNpm } from './bootstrap.mjs'

await ensureDependencies({ development: true })
const node = findNode()
const failed = [checkFormat, checkLint, checkTypes, checkAudit].filter((check) => !check())
if (failed.length > 0)
  report(`\nFailed: ${failed.map((check) => check.name.replace('check', '').toLowerCase()).join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)

function checkFormat() {
  report('Format (prettier)')
  return runTool('prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']).passed
}

function checkLint() {
  report('Lint (oxlint)')
  const { passed, output } = runTool('oxlint/bin/oxlint', [])
  // A linter that is pointed at nothing is content with everything.
  const count = Number(/ on (\d+) files?/.exec(output)?.[1] ?? 0)
  if (count === 0) report('oxlint saw no files')
  return passed && count > 0
}

function checkTypes() {
  report('Types (tsc)')
  const { passed } = runTool('typescript/bin/tsc', ['--build'])
  return passed && seesFiles()
}

function seesFiles() {
  const { stdout } = spawnSync(
    node,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'server', '--listFilesOnly'],
    { cwd: root, encoding: 'utf8' },
  )
  const seen = stdout.includes(join(root, 'server', 'platform', 'database', 'database.ts'))
  if (!seen) report('tsc saw no files')
  return seen
}

function checkAudit() {
  report('Known holes in what is shipped (npm audit)')
  const { stdout } = runNpm(['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 60_000 })
  const counts = readCounts(stdout ?? '')
  if (!counts) {
    report('  not checked: the registry in use does not answer npm audit')
    return true
  }
  report(`  ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low`)
  return counts.critical + counts.high === 0
}

function readCounts(text) {
  try {
    return JSON.parse(text).metadata?.vulnerabilities
  } catch {
    return undefined
  }
}

function runTool(script, args) {
  const result = spawnSync(node, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const output = `${result.stdout}${result.stderr}`
  process.stderr.write(output)
  return { passed: result.status === 0, output }
}
