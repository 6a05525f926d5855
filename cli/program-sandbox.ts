/** The commands about sandboxes. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { isDate } from '../core/calendar/calendar.ts'
import type { SandboxOptions } from './sandbox/copy.ts'
import type { CompareOptions } from './sandbox/compare.ts'
import type { ForwardCommandOptions } from './sandbox/forward.ts'
import { addModelOptions, readWhole } from './sandbox/model-options.ts'
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
  addForward(sandbox)
  addCompare(sandbox)
}

const nightsMax = 3_660

function addForward(sandbox: Command): void {
  const forward = sandbox
    .command('forward')
    .description(
      'move the date of a sandbox day by day: nights run for real, debtors behave by a stated model',
    )
    .option('--days <number>', 'number of nights', readWhole(1, nightsMax))
    .option('--until <date>', 'instead the last day, such as 2027-06-30', readDay)
    .addOption(new Option('--by <period>', 'rows of the table').choices(['week', 'month']).default('month'))
  addModelOptions(forward)
    .option('--quiet', 'do not show the progress')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${exampleHelp(
        'FORDRA_DATA=./sandbox fordra sandbox forward --days 60',
        'FORDRA_DATA=./sandbox fordra sandbox forward --until 2027-06-30 --by week --seed 7 --full 12',
      )}\n\nCtrl-C ends it after the current night, with exit code 130. --until goes on from there.`,
    )
    .action(async (options: ForwardCommandOptions) =>
      (await import('./sandbox/forward.ts')).runForward(options),
    )
}

function addCompare(sandbox: Command): void {
  const compare = sandbox
    .command('compare')
    .description(
      'run two strategies on clones of a sandbox: the same portfolio, the same debtors, the same nights',
    )
    .argument('<a>', 'code or name of a strategy')
    .argument('<b>', 'code or name of the other one')
    .requiredOption('--days <number>', 'number of nights', readWhole(1, nightsMax))
  addModelOptions(compare)
    .option('--quiet', 'do not show the progress')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${exampleHelp('FORDRA_DATA=./sandbox fordra sandbox compare NORDIC GENTLE --days 365')}\n\nThe sandbox must be stopped. It is not changed.`,
    )
    .action(async (a: string, b: string, options: CompareOptions) =>
      (await import('./sandbox/compare.ts')).runCompare(a, b, options),
    )
}

function readDay(text: string): string {
  if (isDate(text)) return text
  throw new InvalidArgumentError('Write a day as 2027-06-30.')
}
