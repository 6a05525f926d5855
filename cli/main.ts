/** The command line: `fordra <command>`. */
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  // A failure that was foreseen has a message that says it all; the stack helps only for the others.
  process.stderr.write(
    `${process.env['FORDRA_LOG_LEVEL'] === '10' ? String((error as Error).stack) : (error as Error).message}\n`,
  )
  process.exitCode = 1
}
