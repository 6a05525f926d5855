import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { startTestServer, testServerVariable } from './test-server.ts'

// Run by bin/test.mjs with options and files for node --test: one PostgreSQL for all of them, since each file is a
// process of its own.
const server = await startTestServer()
const concurrency = process.argv.some((argument) => argument.startsWith('--test-concurrency'))
  ? []
  : [`--test-concurrency=${Math.max(2, Math.min(availableParallelism(), 8))}`]
const runner = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-reporter=spec',
    ...concurrency,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, [testServerVariable]: server.url } },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
const code = await new Promise<number>((resolve) => {
  runner.once('exit', (status) => resolve(status ?? 1))
})
await server.stop()
process.exit(code)
