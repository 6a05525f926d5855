/** The command line: `fordra <command>`. Each command loads what it needs and no more, so that every one starts fast. */
import { Command } from 'commander'
import { version } from '../server/version.ts'
import type { ImportOptions } from './import.ts'

const program = new Command('fordra')
  .description('An open debt-collection platform.')
  .version(version)
  .showHelpAfterError('(fordra --help lists the commands)')
  .configureHelp({ sortSubcommands: true })

program
  .command('start')
  .description('start the service; the settings come from the environment and from .env')
  .option('--demo', 'load the demo agency into an empty database, unless FORDRA_DEMO says otherwise')
  .action(async (options: { demo?: boolean }) => {
    const { runStart } = await import('./start.ts')
    await runStart(options)
  })

program
  .command('demo')
  .description('write invented debtors to a file, the same ones for the same seed')
  .option('--debtors <count>', 'how many', wholeNumber, 1000)
  .option('--seed <number>', 'which ones', wholeNumber, 1)
  .requiredOption('--out <file>', 'the file, .csv or .ndjson')
  .action(async (options: { debtors: number; seed: number; out: string }) => {
    const { runDemo } = await import('./demo.ts')
    await runDemo(options)
  })

program
  .command('import')
  .description('load records from a file; run again, it goes on where it stopped')
  .argument(
    '<what>',
    'parties, users, debtors, cases, invoices, payments, thirdparties, accounts, customers, purchases, objects, or payment-file',
  )
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
    '\nExit codes: 0 all rows are in, 3 some were rejected (of payment-file: went to suspense), 1 the import failed, 130 it was interrupted.',
  )
  .action(async (what: string, file: string, options: ImportOptions) => {
    if (what === 'payment-file') {
      const { runPaymentFileImport } = await import('./import-payment-file.ts')
      await runPaymentFileImport(file, options)
      return
    }
    const { runImport } = await import('./import.ts')
    await runImport(what, file, options)
  })

program
  .command('migrate')
  .description('bring the database to this version and stop')
  .action(async () => {
    const { runMigrate } = await import('./maintenance.ts')
    await runMigrate()
  })

program
  .command('verify')
  .description('check the hash chain of the audit trail, and the books')
  .action(async () => {
    const { runVerify } = await import('./maintenance.ts')
    await runVerify()
  })

program
  .command('service')
  .description('custom services')
  .command('new')
  .description('make the file of a new custom service')
  .argument('<name>', 'its code: small letters, digits and hyphens')
  .option('--scope <scope>', 'what it is invoked for: user, debtor or global', 'debtor')
  .option('--folder <folder>', 'where to (default: FORDRA_SERVICES, else ./custom-services)')
  .action(async (name: string, options: { scope: string; folder?: string }) => {
    const { runNewService } = await import('./service.ts')
    runNewService(name, options)
  })

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`'${text}' is no whole number. Write it in digits.`)
}

try {
  await program.parseAsync()
} catch (error) {
  // A failure that was foreseen has a message that says it all; the stack helps only for the others.
  process.stderr.write(
    `${process.env['FORDRA_LOG_LEVEL'] === '10' ? String((error as Error).stack) : (error as Error).message}\n`,
  )
  process.exitCode = 1
}
