#!/usr/bin/env node
// Everything that is checked besides the tests: format, lint, types, known holes in what is shipped. All at once.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ensureDependencies, findNode, findNpm, report, root } from './bootstrap.mjs'

await ensureDependencies({ development: true })
const node = findNode()
const auditMs = 60_000
const checks = [
  { name: 'format', title: 'Format (prettier)', check: checkFormat },
  { name: 'lint', title: 'Lint (oxlint)', check: checkLint },
  { name: 'types', title: 'Types (tsc)', check: checkTypes },
  { name: 'audit', title: 'Known holes in what is shipped (npm audit)', check: checkAudit },
]
const failed = (await Promise.all(checks.map(runCheck))).filter((name) => name !== undefined)
if (failed.length > 0) report(`\nFailed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)

/** Reports a check as a whole when it ends. Returns its name if it fails. */
async function runCheck({ name, title, check }) {
  const lines = [title]
  const passed = await check((line) => lines.push(line))
  report(lines.join('\n'))
  return passed ? undefined : name
}

async function checkFormat(say) {
  // By content: a checkout gives each file a new date.
  const cache = ['--cache', '--cache-strategy=content']
  const args = ['--check', '--log-level=warn', ...cache, '.']
  const { passed } = await runTool('prettier/bin/prettier.cjs', args, say)
  return passed
}

async function checkLint(say) {
  const { passed, output } = await runTool('oxlint/bin/oxlint', [], say)
  // A linter that is pointed at nothing is content with everything.
  const count = Number(/ on (\d+) files?/.exec(output)?.[1] ?? 0)
  if (count === 0) say('oxlint saw no files')
  return passed && count > 0
}

async function checkTypes(say) {
  const { passed } = await runTool('typescript/bin/tsc', ['--build'], say)
  return (await seesFiles(say)) && passed
}

async function seesFiles(say) {
  const { output } = await runTool('typescript/bin/tsc', ['-p', 'server', '--listFilesOnly'], () => {})
  const seen = output.includes(join(root, 'server', 'platform', 'database', 'database.ts'))
  if (!seen) say('tsc saw no files')
  return seen
}

async function checkAudit(say) {
  const { output } = await run([...findNpm(), 'audit', '--omit=dev', '--json'], { timeout: auditMs })
  const counts = readCounts(output)
  if (!counts) {
    say('  not checked: the registry in use does not answer npm audit')
    return true
  }
  say(`  ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low`)
  return counts.critical + counts.high === 0
}

function readCounts(answer) {
  try {
    return JSON.parse(answer).metadata?.vulnerabilities
  } catch {
    return undefined
  }
}

async function runTool(script, args, say) {
  const found = await run([node, join(root, 'node_modules', script), ...args])
  if (found.output !== '') say(found.output)
  if (found.faults !== '') say(found.faults)
  return found
}

/** Runs a command to its end. */
function run([command, ...args], options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const texts = [child.stdout, child.stderr].map((stream) => text(stream))
  return new Promise((resolve) => {
    const end = async (passed, fault = '') => {
      const [output, faults] = await Promise.all(texts)
      resolve({ passed, output: output.trimEnd(), faults: (faults + fault).trimEnd() })
    }
    child.once('error', (error) => end(false, error.message))
    child.once('close', (code) => end(code === 0))
  })
}
