/** The command line: `fordra <command>`. */
import { createProgram } from './program.ts'

// The first process of a container (its entry point) hears a signal only where it listens: until a command does so
// itself, and once it no longer does, one ends it here, as it ends any other process.
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
  // A failure that was foreseen has a message that says it all; the stack helps only for the others.
  process.stderr.write(
    `${process.env['FORDRA_LOG_LEVEL'] === '10' ? String((error as Error).stack) : (error as Error).message}\n`,
  )
  process.exitCode = 1
}
