/** The commands and their options. Each loads its code when it runs, so that every command starts fast. */
import { Command } from 'commander'
import { version } from '../server/platform/version.ts'
import type { BackupOptions } from './commands/backup.ts'
import type { ExportOptions } from './commands/export.ts'
import type { ImportOptions } from './commands/import.ts'
import { fileEncodings, importedKinds } from '../contract/integration/imported-kinds.ts'
import { addAccessCommands } from './program-access.ts'
import { exampleHelp, exportable, jsonOption } from './program-help.ts'
import { addSandboxCommands } from './program-sandbox.ts'

/** The exit codes of all commands; docs/operate/command-line.md has the same table. */
const exitCodes = `
Exit codes: 0 done, 1 failed or refused (the reason is on standard error), 2 verify or restore-drill found something wrong,
3 some rows of an import were rejected, 130 interrupted.`

/** It throws a CommanderError, which it has told, where commander would end the process. */
export function createProgram(): Command {
  const program = new Command('fordra')
    .description('An open debt-collection platform.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(fordra --help lists the commands)')
    .configureHelp({ sortSubcommands: true })
    .addHelpText('after', `${exampleHelp('fordra start --demo')}\n${exitCodes}`)
  addStart(program)
  addImport(program)
  addExport(program)
  addMaintenance(program)
  addBackup(program)
  addRestoreDrill(program)
  addSandboxCommands(program)
  addAccessCommands(program)
  return program
}

function addStart(program: Command): void {
  program
    .command('start')
    .description('start the service, with settings from the environment and .env')
    .option('--demo', 'load the demo agency into an empty database, unless FORDRA_DEMO says otherwise')
    .addHelpText(
      'after',
      `
Settings that most need:
  PORT          the port, 3000 unless set
  HOST          the address to listen on, 127.0.0.1 unless set
  FORDRA_DATA   the folder of the embedded database, ./data-local unless set
  DATABASE_URL  a PostgreSQL of your own, 15 or newer
All others: docs/operate/settings.md
${exampleHelp('PORT=8080 FORDRA_DATA=/srv/fordra fordra start')}`,
    )
    .action(async (options: { demo?: boolean }) => (await import('./commands/start.ts')).runStart(options))
  program
    .command('demo')
    .description('write a file of invented debtors; the same seed gives the same debtors')
    .option('--debtors <count>', 'number of debtors', wholeNumber, 1000)
    .option('--seed <number>', 'seed of the random generator', wholeNumber, 1)
    .requiredOption('--out <file>', 'the file, .csv or .ndjson')
    .addHelpText('after', exampleHelp('fordra demo --debtors 100000 --out debtors.csv'))
    .action(async (options: { debtors: number; seed: number; out: string }) =>
      (await import('./commands/demo.ts')).runDemo(options),
    )
}

function addImport(program: Command): void {
  program
    .command('import')
    .description('import records from a file; a repeated run continues where the last one stopped')
    .argument('<what>', `${importedKinds.join(', ')}, or payment-file`)
    .argument(
      '<file>',
      'a CSV file or Excel workbook (.xlsx) with a heading line, or NDJSON (.ndjson, .jsonl); for payment-file a camt.053, camt.054, BgMax or OCR giro file',
    )
    .option(
      '--map <heading=field>',
      "which field a column contains, such as 'Personnr=idNumber'; 'Notes=' skips the column; can be repeated",
      (mapping: string, earlier: string[]) => [...earlier, mapping],
      [],
    )
    .option('--source <name>', 'name of the source system; references are unique within a source', 'import')
    .option('--client <code>', 'client of the rows that name none, for cases and client records')
    .option(
      '--country <code>',
      "country of the debtors' addresses that name none, or none (default: that of the settings)",
    )
    .option('--allow-duplicates', 'accept a debtor whose identity number is already registered')
    .option('--rejected <file>', 'file for the rejected rows and the reasons (default: FILE.rejected.csv)')
    .option('--delimiter <sign>', "of CSV: ',', ';', '|' or tab (default: detected from the heading line)")
    .option('--encoding <name>', `one of ${fileEncodings.join(', ')}`, 'utf-8')
    .option('--json', 'print the final report as JSON')
    .addHelpText(
      'after',
      `${exampleHelp("fordra import debtors kunder.csv --map 'Personnr=idNumber' --source oldsystem")}\n
Exit codes: 0 all rows were imported, 3 some were rejected (payment-file: went to suspense), 1 the import failed, 130 it was interrupted.`,
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
    .description('export records, or the OpenAPI or AsyncAPI document; the server may be running or stopped')
    .argument('<what>', exportable.join(', '))
    .option('--out <file>', 'the file to write (default: standard output)')
    .option('--format <name>', 'csv or ndjson (default: from the file name, else csv)')
    .option('--filter <condition>', 'only these rows, as in $filter of the API: "status eq \'AMICABLE\'"')
    .option('--orderby <members>', 'sort order, as in $orderby of the API')
    .option('--as <login>', 'export only what this user may see')
    .option('--delimiter <sign>', "of CSV: ',', ';', '|' or tab", undefined)
    .option('--excel', 'CSV with a byte order mark and semicolons')
    .option('--url <origin>', 'address of the service, for openapi and asyncapi')
    .option('--for-import', 'with all: files for the import of another installation, in the folder --out')
    .option('--json', 'print the report on standard error as JSON')
    .addHelpText(
      'after',
      exampleHelp(
        'fordra export debtors --out debtors.csv',
        'fordra export payments --filter "valueDate ge 2026-01-01" --format ndjson | gzip > payments.ndjson.gz',
        'fordra export all --for-import --out books --format ndjson',
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
    .description('migrate the database to this version and stop')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('DATABASE_URL=postgres://fordra@db/fordra fordra migrate'))
    .action(async (options: { json?: boolean }) =>
      (await import('./commands/maintenance.ts')).runMigrate(options),
    )
  program
    .command('verify')
    .description('check the hash chain of the audit trail and the ledgers')
    .option('--anchor', 'also compare the trail with the heads recorded in FORDRA_ANCHOR')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${exampleHelp('fordra verify --json', 'fordra verify --anchor')}\n\nExit codes: 0 no error was found, 2 an error was found, 1 the check failed.`,
    )
    .action(async (options: { json?: boolean; anchor?: boolean }) =>
      (await import('./commands/maintenance.ts')).runVerify(options),
    )
  addAnchor(program)
}

function addAnchor(program: Command): void {
  const anchor = program
    .command('anchor')
    .description('record in FORDRA_ANCHOR an intended change of the audit trail')
    .addHelpText('after', exampleHelp('fordra anchor restored 2026-11-21T14:03:00+01:00'))
  anchor
    .command('restored')
    .description(
      'record that the database was restored by other means: later heads may be missing, and rights of then are ended',
    )
    .argument('<moment>', 'the time of the restored state, such as 2026-11-21T14:03:00+01:00')
    .addHelpText('after', exampleHelp('fordra anchor restored 2026-11-21T14:03:00+01:00'))
    .action(async (moment: string) => (await import('./commands/anchor.ts')).runAnchorRestored(moment))
  anchor
    .command('accept-key')
    .description('trust a key without the signature of the former key, which is lost')
    .argument('<key>', 'the id of the key, from the log or from verify')
    .addHelpText('after', exampleHelp('fordra anchor accept-key 3f2a90c1d27e5b84'))
    .action(async (key: string) => (await import('./commands/anchor.ts')).runAcceptKey(key))
}

function addBackup(program: Command): void {
  program
    .command('backup')
    .description(
      'back up the whole database to one file, as of one moment; the server may be running or stopped',
    )
    .argument('[file]', 'the archive (default: fordra-<time>.tar); an existing file is never overwritten')
    .option(
      '--base',
      "instead a copy of the embedded database's files in FORDRA_ARCHIVE, for restore --until",
    )
    .option('--quiet', 'do not print the tables')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('fordra backup /backup/fordra-monday.tar', 'fordra backup --base'))
    .action(async (file: string | undefined, options: BackupOptions) =>
      (await import('./commands/backup.ts')).runBackup(file, options),
    )
  program
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<file>', 'the archive; with --until the former FORDRA_ARCHIVE folder')
    .option('--until <moment>', 'restore the embedded database as of this moment, from its archived log')
    .option('--check', 'only check the checksums of the archive')
    .option('--no-anchor', 'also if FORDRA_ANCHOR does not know the trail: data erased since then comes back')
    .option(
      '--keep-rights',
      'the installation moves, and nothing was ended since the backup: keep sessions, links and secrets',
    )
    .option('--quiet', 'do not print the tables')
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

function addRestoreDrill(program: Command): void {
  program
    .command('restore-drill')
    .description(
      'restore the newest backup into a scratch database and verify it there; the server may be running',
    )
    .argument('[place]', 'a backup, or a folder of backups (default: FORDRA_BACKUPS)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${exampleHelp('fordra restore-drill /backup')}\n\nExit codes: 0 the backup can be restored and is right, 2 it is not, 1 the drill failed.`,
    )
    .action(async (place: string | undefined, options: { json?: boolean }) =>
      (await import('./commands/restore-drill.ts')).runDrill(place, options),
    )
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`'${text}' is no whole number. Write it in digits.`)
}
