/** The commands and their options. Each loads its code when it runs, so that every command starts fast. */
import { Command } from 'commander'
import { version } from '../server/platform/version.ts'
import type { BackupOptions } from './commands/backup.ts'
import type { ExportOptions } from './commands/export.ts'
import type { ImportOptions } from './commands/import.ts'
import { importedKinds } from '../contract/integration/imported-kinds.ts'
import { addAccessCommands } from './program-access.ts'
import { exampleHelp, exportable, jsonOption } from './program-help.ts'

/** The exit codes of all commands; docs/operate/command-line.md has the same table. */
const exitCodes = `
Exit codes: 0 done, 1 failed or refused (the reason is on standard error), 2 verify found something wrong,
3 some rows of an import were rejected, 130 interrupted.`

export function createProgram(): Command {
  const program = new Command('fordra')
    .description('An open debt-collection platform.')
    .version(version)
    .showHelpAfterError('(fordra --help lists the commands)')
    .configureHelp({ sortSubcommands: true })
    .addHelpText('after', `${exampleHelp('fordra start --demo')}\n${exitCodes}`)
  addStart(program)
  addImport(program)
  addExport(program)
  addMaintenance(program)
  addBackup(program)
  addAccessCommands(program)
  return program
}

function addStart(program: Command): void {
  program
    .command('start')
    .description('start the service; the settings come from the environment and from .env')
    .option('--demo', 'load the demo agency into an empty database, unless FORDRA_DEMO says otherwise')
    .addHelpText('after', exampleHelp('PORT=8080 fordra start'))
    .action(async (options: { demo?: boolean }) => (await import('./commands/start.ts')).runStart(options))
  program
    .command('demo')
    .description('write invented debtors to a file, the same ones for the same seed')
    .option('--debtors <count>', 'how many', wholeNumber, 1000)
    .option('--seed <number>', 'which ones', wholeNumber, 1)
    .requiredOption('--out <file>', 'the file, .csv or .ndjson')
    .addHelpText('after', exampleHelp('fordra demo --debtors 100000 --out debtors.csv'))
    .action(async (options: { debtors: number; seed: number; out: string }) =>
      (await import('./commands/demo.ts')).runDemo(options),
    )
}

function addImport(program: Command): void {
  program
    .command('import')
    .description('load records from a file; run again, it goes on where it stopped')
    .argument('<what>', `${importedKinds.join(', ')}, or payment-file`)
    .argument(
      '<file>',
      'a CSV file with a heading line, or NDJSON (.ndjson, .jsonl); of payment-file a camt.053, camt.054, BgMax or OCR giro file',
    )
    .option(
      '--map <heading=field>',
      "a heading of yours and the field it holds, such as 'Personnr=idNumber'; 'Notes=' leaves a column out; may be repeated",
      (mapping: string, earlier: string[]) => [...earlier, mapping],
      [],
    )
    .option('--source <name>', 'keeps references of one source apart from those of another', 'import')
    .option('--allow-duplicates', 'take a debtor whose identity number another one has')
    .option('--rejected <file>', 'where rejected rows are reported (default: FILE.rejected.csv)')
    .option('--delimiter <sign>', "of CSV: ',', ';', '|' or tab (default: told from the heading line)")
    .option('--encoding <name>', 'utf-8 or windows-1252', 'utf-8')
    .option('--json', 'print the final report as JSON')
    .addHelpText(
      'after',
      `${exampleHelp("fordra import debtors kunder.csv --map 'Personnr=idNumber' --source oldsystem")}\n
Exit codes: 0 all rows are in, 3 some were rejected (of payment-file: went to suspense), 1 the import failed, 130 it was interrupted.`,
    )
    .action(async (what: string, file: string, options: ImportOptions) =>
      what === 'payment-file'
        ? (await import('./commands/import-payment-file.ts')).runPaymentFileImport(file, options)
        : (await import('./commands/import.ts')).runImport(what, file, options),
    )
}

function addExport(program: Command): void {
  program
    .command('export')
    .description('write records or the OpenAPI document, while the server runs or not')
    .argument('<what>', exportable.join(', '))
    .option('--out <file>', 'the file; without it standard output')
    .option('--format <name>', 'csv or ndjson (default: by the name of the file, else csv)')
    .option('--filter <condition>', 'which rows, as $filter of the API: "status eq \'AMICABLE\'"')
    .option('--orderby <members>', 'in which order, as $orderby of the API')
    .option('--as <login>', 'with the rights of this user: what they may not see is left out')
    .option('--delimiter <sign>', "of CSV: ',', ';', '|' or tab", undefined)
    .option('--excel', 'CSV with a byte order mark and semicolons')
    .option('--url <origin>', 'where the service answers, for openapi')
    .option('--json', 'report on standard error as JSON')
    .addHelpText(
      'after',
      exampleHelp(
        'fordra export debtors --out debtors.csv',
        'fordra export payments --filter "valueDate ge 2026-01-01" --format ndjson | gzip > payments.ndjson.gz',
        'fordra export openapi --url https://collections.example --out fordra.openapi.json',
      ),
    )
    .action(async (what: string, options: ExportOptions) =>
      (await import('./commands/export.ts')).runExport(what, options),
    )
}

function addMaintenance(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to this version and stop')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('DATABASE_URL=postgres://fordra@db/fordra fordra migrate'))
    .action(async (options: { json?: boolean }) =>
      (await import('./commands/maintenance.ts')).runMigrate(options),
    )
  program
    .command('verify')
    .description('check the hash chain of the audit trail, and the books')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${exampleHelp('fordra verify --json')}\n\nExit codes: 0 all is right, 2 something is wrong, 1 it could not be checked.`,
    )
    .action(async (options: { json?: boolean }) =>
      (await import('./commands/maintenance.ts')).runVerify(options),
    )
}

function addBackup(program: Command): void {
  program
    .command('backup')
    .description('write everything into one file, as it is in one moment, while the server runs or not')
    .argument('[file]', 'the archive (default: fordra-<time>.tar); one that is there is not written over')
    .option(
      '--base',
      "instead a copy of the embedded database's files in FORDRA_ARCHIVE, for restore --until",
    )
    .option('--quiet', 'say nothing of the tables')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('fordra backup /backup/fordra-monday.tar', 'fordra backup --base'))
    .action(async (file: string | undefined, options: BackupOptions) =>
      (await import('./commands/backup.ts')).runBackup(file, options),
    )
  program
    .command('restore')
    .description('load a backup into an empty database')
    .argument('<file>', 'the archive that backup made; with --until the folder that was FORDRA_ARCHIVE')
    .option('--until <moment>', 'the embedded database as it was then, by its archived log')
    .option('--check', 'only read the archive and compare its checksums')
    .option('--quiet', 'say nothing of the tables')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      exampleHelp(
        'FORDRA_DATA=./restored fordra restore /backup/fordra-monday.tar',
        'FORDRA_DATA=./restored fordra restore --until 2026-11-21T14:03:00+01:00 /archive',
      ),
    )
    .action(async (file: string, options: BackupOptions) =>
      (await import('./commands/backup.ts')).runRestore(file, options),
    )
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`'${text}' is no whole number. Write it in digits.`)
}
