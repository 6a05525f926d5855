import { isDateTime } from '../../../core/calendar/date-time.ts'
import { isGuid } from '../../../core/text/guid.ts'
import type { Command, CommandArgument, CommandInput } from '../../../contract/platform/commands.ts'
import { invalid, FieldErrors } from '../../platform/http/errors.ts'
import type { CommandArguments } from '../../platform/jobs/command.ts'

/** Reads a command's arguments. Trailing empty arguments are ignored. Throws a 400 that names each wrong argument. */
export function readArguments(command: Command, input: CommandInput): CommandArguments {
  const given = (input.argument ?? []).map((text) => text?.trim() || undefined)
  const taken: readonly CommandArgument[] = command.arguments
  const beyond = given.findIndex((text, index) => index >= taken.length && text !== undefined)
  if (beyond !== -1) {
    const right = taken.length === 0 ? 'no arguments' : `at most ${taken.map(({ name }) => name).join(', ')}`
    throw invalid({
      [`argument[${beyond}]`]: [`is not an argument of ${command.command}. It takes ${right}.`],
    })
  }
  const checks = new FieldErrors()
  for (const [index, argument] of taken.entries()) {
    const fault = checkArgument(argument, given[index])
    if (fault !== undefined) checks.add(`argument[${index}]`, fault)
  }
  checks.throwIfAny()
  return given.slice(0, taken.length)
}

function checkArgument(
  { name, type, values = [], required }: CommandArgument,
  given: string | undefined,
): string | undefined {
  if (given === undefined) return required ? `is required: ${name}.` : undefined
  if (type === 'date' && !(given.length === 10 && isDateTime(given))) {
    return `must be a date such as 2026-11-21.`
  }
  if (type === 'guid' && !isGuid(given)) return 'must be a GUID.'
  if (type === 'word' && !values.includes(given)) return `must be one of ${values.join(', ')}.`
  return undefined
}
