/** The commands about access: users, services, assistants, shell completion. */
import type { Command } from 'commander'
import type { ForwardOptions, ListenOptions } from './commands/listen.ts'
import { exampleHelp, exportable, importable, jsonOption } from './program-help.ts'
import type { UserOptions } from './commands/user.ts'

export function addAccessCommands(program: Command): void {
  addUser(program)
  addService(program)
  addWebhookTools(program)
  addMcp(program)
  addCompletion(program)
}

function addUser(program: Command): void {
  const user = program
    .command('user')
    .description('manage users without signing in')
    .addHelpText('after', exampleHelp('fordra user create eva@agency.example --role 2'))
  user
    .command('create')
    .description('create a user; without a given password, a generated one is printed once')
    .argument('<email>', 'the login')
    .option('--name <name>', 'full name')
    .option('--role <number>', 'the role (UserRoleType); 2 is the administrator', '2')
    .option('--party <code>', 'the party of the user (default: the agency)')
    .option('--user-code <code>', 'user code, a second login')
    .option('--password-stdin', 'read the password from standard input')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('fordra user create eva@agency.example --name "Eva Ek" --role 2'))
    .action(async (email: string, options: UserOptions) =>
      (await import('./commands/user.ts')).runCreateUser(email, options),
    )
  user
    .command('reset-password')
    .description('give a user a new password and end all their sessions')
    .argument('<login>', 'e-mail or user code')
    .option('--password-stdin', 'read the password from standard input')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('fordra user reset-password eva@agency.example'))
    .action(async (login: string, options: UserOptions) =>
      (await import('./commands/user.ts')).runResetPassword(login, options),
    )
  user
    .command('list')
    .description('list the users: login, role, state, name')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('fordra user list --json'))
    .action(async (options: UserOptions) => (await import('./commands/user.ts')).runListUsers(options))
  for (const [name, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    user
      .command(name)
      .description(disabled ? 'disable a user and end all their sessions' : 'enable a user again')
      .argument('<login>', 'e-mail or user code')
      .addOption(jsonOption())
      .addHelpText('after', exampleHelp(`fordra user ${name} eva@agency.example`))
      .action(async (login: string, options: UserOptions) =>
        (await import('./commands/user.ts')).runDisableUser(login, disabled, options),
      )
  }
}

function addService(program: Command): void {
  program
    .command('service')
    .description('manage custom services')
    .addHelpText('after', exampleHelp('fordra service new credit-check'))
    .command('new')
    .description('create the file of a new custom service')
    .argument('<name>', 'code of the service: lower-case letters, digits and hyphens')
    .option('--scope <scope>', 'user, debtor or global', 'debtor')
    .option('--folder <folder>', 'folder of the file (default: FORDRA_SERVICES, else ./custom-services)')
    .addOption(jsonOption())
    .addHelpText('after', exampleHelp('fordra service new credit-check --scope debtor --folder ./services'))
    .action(async (name: string, options: { scope: string; folder?: string; json?: boolean }) =>
      (await import('./commands/service.ts')).runNewService(name, options),
    )
}

const forwardTo = ['--forward-to <url>', 'where your program takes webhooks'] as const
const secretOption = [
  '--secret <secret>',
  'sign with this secret (default: a new one, which is printed)',
] as const

function addWebhookTools(program: Command): void {
  program
    .command('listen')
    .description('deliver the events of a running service to a program on this machine, signed as a webhook')
    .requiredOption(...forwardTo)
    .option('--types <types>', "only these, as for webhooks: 'debtor.*,payment.registered'")
    .option(...secretOption)
    .addHelpText(
      'after',
      `${exampleHelp('FORDRA_API_URL=https://collections.example FORDRA_API_TOKEN=… fordra listen --forward-to http://localhost:4000/hook')}\n
It reads with the rights of FORDRA_API_TOKEN (an access token), or of an API user by FORDRA_CLIENT_ID and
FORDRA_CLIENT_SECRET. An event that your program does not take is not sent again.`,
    )
    .action(async (options: ListenOptions) => (await import('./commands/listen.ts')).runListen(options))
  program
    .command('trigger')
    .description('send an invented event, signed as by a webhook, to a program on this machine')
    .argument('<event>', 'type of the event')
    .requiredOption(...forwardTo)
    .option(...secretOption)
    .addHelpText(
      'after',
      exampleHelp('fordra trigger payment.registered --forward-to http://localhost:4000/hook'),
    )
    .action(async (type: string, options: ForwardOptions) =>
      (await import('./commands/listen.ts')).runTrigger(type, options),
    )
}

function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve assistants by the Model Context Protocol on standard input and output')
    .option('--allow-writes', 'also offer tools that change data')
    .addHelpText(
      'after',
      `${exampleHelp('FORDRA_API_URL=https://collections.example FORDRA_API_TOKEN=… fordra mcp')}\n
It calls the API of a running service with the rights of FORDRA_API_TOKEN (an access token), or of an API user by
FORDRA_CLIENT_ID and FORDRA_CLIENT_SECRET.`,
    )
    .action(async (options: { allowWrites?: boolean }) => (await import('./mcp/mcp.ts')).runMcp(options))
}

function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', exampleHelp('eval "$(fordra completion bash)"', 'fordra completion fish | source'))
    .action(async (shell: string) => {
      const { createCompletion, shells } = await import('./completion.ts')
      const known = shells.find((name) => name === shell)
      if (!known)
        throw new Error(`'${shell}' is no shell that can be completed. Those are ${shells.join(', ')}.`)
      const choices = { import: importable, export: exportable, completion: shells }
      process.stdout.write(createCompletion(program, known, choices))
    })
}
