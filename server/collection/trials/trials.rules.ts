/** Reads and checks a trial, for the API and the form. Pure. */
import { challengersMax, type TrialInput } from '../../../contract/collection/trials.ts'
import { readCurrency, readMoney } from '../../claims/case-inputs.rules.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'

/** A trial that is checked, with the champion as its first arm. */
export interface ReadTrial {
  name: string
  clientGuid: string | null
  arms: { strategy: string; share: number }[]
  outcomeDays: number
  highestMinor: bigint
  currencyCode: string
  plannedCases: number
}

/** What errors of challengers are told of: all of them, and each one. */
export interface ChallengerMembers {
  all: string
  each: readonly string[]
}
export const apiMembers: ChallengerMembers = {
  all: 'challengers',
  each: Array.from({ length: challengersMax }, (_, at) => `challengers[${at}].strategy`),
}

interface Known {
  members: ChallengerMembers
  /** The codes of all strategies. */
  strategies: ReadonlySet<string>
  /** Whether `clientGuid` is a client. */
  isClient: boolean
}

/** Adds errors to `checks`; the result is of use only when there are none. */
export function readTrial(input: TrialInput, known: Known, checks: FieldErrors): ReadTrial {
  const name = input.name?.trim() ?? ''
  if (name === '') checks.add('name', 'is required.')
  const clientGuid = input.clientGuid?.trim().toLowerCase() || null
  if (clientGuid !== null && !known.isClient)
    checks.add('clientGuid', 'is not a client. Leave it empty for all clients of the champion.')
  for (const member of ['outcomeDays', 'plannedCases'] as const)
    if (!input[member]) checks.add(member, 'is required: enter a whole number above zero.')
  const currency = readCurrency(input.currencyCode, null, checks)
  const amount = { currency, least: 'above zero', required: true } as const
  const highestMinor = readMoney(input.highestAmount, 'highestAmount', amount, checks)
  return {
    name,
    clientGuid,
    arms: readArms(input, known, checks),
    outcomeDays: input.outcomeDays ?? 0,
    highestMinor: highestMinor ?? 0n,
    currencyCode: currency ?? '',
    plannedCases: input.plannedCases ?? 0,
  }
}

function readArms(
  { champion, challengers }: TrialInput,
  { strategies, members: { all, each } }: Known,
  checks: FieldErrors,
): ReadTrial['arms'] {
  const given = challengers ?? []
  if (given.length === 0 || given.length > challengersMax)
    checks.add(all, `must be a list of 1 to ${challengersMax} challengers.`)
  const sum = given.reduce((total, { share }) => total + share, 0)
  if (sum > 99) checks.add(all, 'must have shares that leave at least 1 percent to the champion.')
  const arms = [
    { strategy: champion, share: 100 - sum, member: 'champion' },
    ...given.map((one, at) => ({ ...one, member: each[at] ?? all })),
  ]
  const seen = new Set<string>()
  return arms.map(({ strategy, share, member }) => {
    const code = strategy?.trim().toUpperCase() ?? ''
    if (!strategies.has(code)) checks.add(member, `must be one of ${[...strategies].join(', ')}.`)
    else if (seen.has(code)) checks.add(member, 'must be another strategy than that of the other arms.')
    seen.add(code)
    return { strategy: code, share }
  })
}
