import { spawnSync } from 'node:child_process'
import { flushLog } from '../../server/platform/log/log.ts'
import { startServer, type RunningServer } from '../../server/main.ts'
import { requireFreePorts } from '../../server/platform/http/listening/require-free-ports.ts'
import { demoLogins } from '../../server/access/users/demo-agency.ts'
import { loadDemo } from '../demo/load-demo.ts'
import { loadSettings, report } from '../settings.ts'

/** Signals this close together are one, as in bin/follow-parent.mjs. */
const togetherMs = 1_000
/** How long the end waits for the reader of the log. */
const flushMs = 1_000

export async function runStart(options: { demo?: boolean }): Promise<void> {
  // A reader of our outputs that is gone is no reason to end; without listeners it would be.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const settings = loadSettings(options.demo ? { FORDRA_DEMO: '1' } : {})
  await requireFreePorts(settings)
  buildConsole()
  const isDemo = settings.FORDRA_DEMO === 1
  const server = await startServer(
    settings,
    report,
    isDemo ? (database, app) => loadDemo(database, app, { report }) : undefined,
  )
  let stoppingSince: number | undefined
  const stop = async (why: string, code: number) => {
    if (stoppingSince !== undefined) {
      // A terminal, npm and a supervisor each send the first signal to several processes, which pass it on.
      if (performance.now() - stoppingSince < togetherMs) return
      report(`${why} again: ended at once. What was acknowledged is stored.`)
      process.exit(code)
    }
    stoppingSince = performance.now()
    const seconds = settings.FORDRA_STOP_SECONDS
    report(`${why}: finishing the requests in flight, then stopping the database, within ${seconds} s.`)
    const left = await server.stop(report)
    report(left.length === 0 ? 'Stopped.' : `Stopped without waiting any longer for: ${left.join('; ')}.`)
    await flushLog(flushMs)
    process.exit(left.length === 0 ? 0 : 1)
  }
  process.on('SIGINT', () => void stop('Interrupted', 130))
  process.on('SIGTERM', () => void stop('Asked to stop', 143))
  process.once('disconnect', () => void stop('The starting process is gone', 1))
  void server.database.lost.then(() => {
    if (stoppingSince !== undefined) return
    report('The database server ended unexpectedly. Start again; nothing that was acknowledged is lost.')
    process.exit(1)
  })
  printWelcome(server, isDemo)
}

/** In a checkout whose console is missing or was built of other sources, bin/fordra.mjs names the script that builds it. */
function buildConsole(): void {
  const script = process.env['CONSOLE_BUILD']
  if (script !== undefined) spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] })
}

function printWelcome({ address, firstLogins }: RunningServer, isDemo: boolean): void {
  const logins = [...firstLogins, ...(isDemo ? demoLogins : [])]
  const width = Math.max(0, ...logins.map(({ login }) => login.length))
  const lines = [
    '',
    `Fordra answers at ${address}`,
    `Console:          ${address}/`,
    `Reference:        ${address}/reference`,
    `Documentation:    ${address}/docs`,
    ...(logins.length > 0
      ? ['', isDemo ? 'Logins (demo only, known to everyone):' : 'Login (shown this once, keep it):']
      : []),
    ...logins.map(({ role, login, password }) => `  ${login.padEnd(width)}  ${password}  (${role})`),
    ...(isDemo ? ['', 'Try it:', `  ${curlLine(address)}`] : []),
    '',
    'Ctrl-C stops it.',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const curlLine = (address: string) => {
  const { login, password } = demoLogins[0]!
  const body = JSON.stringify({ login, password })
  return (
    `curl -s '${address}/api/v1/debtors?$top=3&$orderby=fullName' -H "Authorization: Bearer $(curl -s ${address}/api/v1/auth/login ` +
    `-H 'Content-Type: application/json' -d '${body}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')"`
  )
}
