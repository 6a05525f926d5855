/** The commands about sandboxes. */
import type { Command } from 'commander'
import type { SandboxOptions } from './sandbox/copy.ts'
import { exampleHelp, jsonOption } from './program-help.ts'

export function addSandboxCommands(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('copy this installation beside it, to try things in; the server may be running or stopped')
    .addHelpText('after', exampleHelp('fordra sandbox ./sandbox'))
  sandbox
    .command('copy', { isDefault: true })
    .description('make the copy: personal data is masked, and the copy sends nothing')
    .argument('[folder]', 'a new folder for the embedded database of the sandbox (default: ./sandbox)')
    .option('--database <url>', 'instead an empty database on a PostgreSQL of your own')
    .option('--personal-data', 'copy personal data as it is, not masked')
    .option('--quiet', 'do not show the progress')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      exampleHelp(
        'fordra sandbox ./sandbox',
        'fordra sandbox --database postgres://fordra@db/sandbox',
        'FORDRA_DATA=./sandbox PORT=3001 fordra start',
      ),
    )
    .action(async (folder: string | undefined, options: SandboxOptions) =>
      (await import('./sandbox/copy.ts')).runSandbox(folder, options),
    )
}
