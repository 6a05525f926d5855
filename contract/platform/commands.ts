/** The system commands (S11) as data: the operation, its checks, the lookup `command` and the documentation read it. */
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
    description: 'Does what ends a business date, each step once; that of today unless a date is given.',
    arguments: [date],
  },
  {
    command: 'accrue-interest',
    description: 'Accrues interest on all open cases up to a date; today unless given.',
    arguments: [date],
  },
  {
    command: 'apply-strategies',
    description: 'Takes the collection steps that are due; `dry-run` lists them instead.',
    arguments: [{ name: 'mode', type: 'word', values: ['dry-run'] }],
  },
  {
    command: 'check-payment-plans',
    description: 'Marks missed instalments and breached payment plans.',
    arguments: [],
  },
  {
    command: 'verify-ledger',
    description: 'Recomputes the audit trail’s hash chain, the money of the ledger and the counts of events.',
    arguments: [],
  },
  { command: 'retry-jobs', description: 'Has every failed job tried again.', arguments: [] },
  {
    command: 'purge-expired',
    description: 'Removes what has expired: idempotency keys, sessions, challenges, messages, old histories.',
    arguments: [],
  },
  {
    command: 'rebuild-search',
    description: 'Makes the items that are searched and described anew from their records.',
    arguments: [],
  },
  {
    command: 'import',
    description: 'Imports an uploaded file.',
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
        description: "In the order of the command's own; one that is null or empty is left out.",
      }),
    ),
  },
  { $id: 'CommandInput', additionalProperties: false },
)
export type CommandInput = Static<typeof CommandInput>

const nameOf = ({ command, arguments: taken }: Command) =>
  [command, ...taken.map(({ name, required }) => (required ? name : `[${name}]`))].join(' ')

export const runCommand = operation({
  id: 'S11',
  name: 'runCommand',
  method: 'POST',
  path: '/system/commands/:command',
  area: 'System',
  summary: 'Run a system command',
  description: [
    'Starts a background job; `jobId` in the answer leads to it under `GET /jobs/{jobId}`. A command that is running already is a conflict.',
    ...commands.map((one) => `- \`${nameOf(one)}\`: ${one.description}`),
  ].join('\n'),
  access: ['system.admin'],
  params: Type.Object({ command: key(50, 'Command', { lookup: 'command' }) }),
  body: CommandInput,
  bodyOptional: true,
  status: 200,
  response: Problem,
  problems: ['conflict'],
  example: { body: { argument: ['2026-11-21'] } },
})
