/**
 * The system commands (S11) as data, read by the operation, its checks, the lookup `command` and the documentation.
 */
import { Type, type Static } from 'typebox'
import { key } from '../metadata/fields.ts'
import { operation } from './operation.ts'
import { Problem } from './problem.ts'

export interface CommandArgument {
  name: string
  /** A date as YYYY-MM-DD, a GUID, or one of the words of `values`. */
  type: 'date' | 'guid' | 'word'
  values?: readonly string[]
  required?: true
}

export interface Command {
  command: string
  description: string
  arguments: readonly CommandArgument[]
}

const date: CommandArgument = { name: 'date', type: 'date' }

export const commands = [
  {
    command: 'day-end',
    description: 'Runs the day-end, each step once. Default date: today.',
    arguments: [date],
  },
  {
    command: 'accrue-interest',
    description: 'Accrues interest on all open cases up to a date. Default: today.',
    arguments: [date],
  },
  {
    command: 'apply-strategies',
    description: 'Takes the due collection steps; `dry-run` only lists them.',
    arguments: [{ name: 'mode', type: 'word', values: ['dry-run'] }],
  },
  {
    command: 'check-payment-plans',
    description: 'Marks missed instalments and breached payment plans.',
    arguments: [],
  },
  {
    command: 'verify-ledger',
    description: 'Verifies the audit trail’s hash chain, the amounts of the ledger and the counts of events.',
    arguments: [],
  },
  {
    command: 'law-review',
    description: 'Reviews all cases by the law and stores what was found, with the corrections proposed.',
    arguments: [],
  },
  { command: 'retry-jobs', description: 'Retries every failed job.', arguments: [] },
  {
    command: 'purge-expired',
    description: 'Deletes expired data: idempotency keys, sessions, challenges, messages, old histories.',
    arguments: [],
  },
  {
    command: 'rebuild-search',
    description: 'Rebuilds the search items from their records.',
    arguments: [],
  },
  {
    command: 'restore-drill',
    description: 'Restores the newest backup into a scratch database and verifies it there.',
    arguments: [],
  },
  {
    command: 'import',
    description: 'Imports an uploaded file.',
    arguments: [{ name: 'file', type: 'guid', required: true }],
  },
  {
    command: 'check-import',
    description:
      'Tries an uploaded file without importing it: the same counts, and the first reasons of rejected rows.',
    arguments: [{ name: 'file', type: 'guid', required: true }],
  },
] as const satisfies readonly Command[]
export type CommandName = (typeof commands)[number]['command']

export const CommandInput = Type.Object(
  {
    argument: Type.Optional(
      Type.Unsafe<(string | null)[] | null>({
        type: ['array', 'null'],
        maxItems: 6,
        items: { type: ['string', 'null'], maxLength: 200 },
        title: 'Arguments',
        description: 'In the order of the command’s arguments. Null and empty values are omitted.',
      }),
    ),
  },
  { $id: 'CommandInput', additionalProperties: false },
)
export type CommandInput = Static<typeof CommandInput>

const commandName = ({ command, arguments: taken }: Command) =>
  [command, ...taken.map(({ name, required }) => (required ? name : `[${name}]`))].join(' ')

export const runCommand = operation({
  id: 'S11',
  name: 'runCommand',
  method: 'POST',
  path: '/system/commands/:command',
  area: 'System',
  summary: 'Run a system command',
  description: [
    'Starts a background job. `GET /jobs/{jobId}` shows the job of the returned `jobId`. A command that is already running is a conflict.',
    ...commands.map((one) => `- \`${commandName(one)}\`: ${one.description}`),
  ].join('\n'),
  access: ['system.admin'],
  unrestricted: true,
  params: Type.Object({ command: key(50, 'Command', { lookup: 'command' }) }),
  body: CommandInput,
  bodyOptional: true,
  status: 200,
  response: Problem,
  problems: ['conflict'],
  example: { params: { command: 'day-end' }, body: { argument: ['2026-11-21'] } },
})
