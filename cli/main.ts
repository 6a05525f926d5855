/** The command line: `fordra <command>`. */
import { createProgram } from './program.ts'

// As the first process of a container, Node receives a signal only while it listens for it. This listener ends the
// process whenever no command listens itself.
if (process.pid === 1) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code)
    })
  }
}

try {
  await createProgram().parseAsync()
} catch (error) {
  // Expected errors have a complete message; a stack trace helps only for others.
  process.stderr.write(
    `${process.env['FORDRA_LOG_LEVEL'] === '10' ? String((error as Error).stack) : (error as Error).message}\n`,
  )
  process.exitCode = 1
}
