import { CommanderError } from 'commander'
import { createProgram } from './program.ts'

/** Runs the command that the words name. A failure is told on standard error, and gives exit code 1. */
export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    // Expected errors have a complete message; a stack trace helps only for others.
    process.stderr.write(
      `${process.env['FORDRA_LOG_LEVEL'] === '10' ? String((error as Error).stack) : (error as Error).message}\n`,
    )
    process.exitCode = 1
  }
}
