/** The command line: `fordra <command>`. */
import { runCommand } from './run-command.ts'

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

await runCommand(process.argv.slice(2))
