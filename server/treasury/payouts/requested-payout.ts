/** What a request for a payout keeps for its second person, who approves exactly that. */
import { createHash } from 'node:crypto'
import { fromMinor, toMinor } from '../../../core/money/money.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { NewPayout } from './payouts.store.ts'

/** Changes that a refusal names, before it counts the others. */
const changesNamed = 3

interface RequestedLine {
  clientGuid: string
  clientName: string
  account: string
  /** Units of the currency. */
  amount: number
  cases: number
  /** Of the amount of each case, so that other cases with the same sum are told apart. */
  casesDigest: string
}

interface Requested {
  /** The account that the agency pays from. */
  account: string
  lines: readonly RequestedLine[]
}

type Told = { currencyCode: string } & Pick<Caller, 'language'>

export const toRequestedLine = (
  { clientGuid, clientName, account, amount, cases }: NewPayout & { clientName: string },
  currencyCode: string,
): RequestedLine => ({
  clientGuid,
  clientName,
  account,
  amount: fromMinor(BigInt(amount), currencyCode),
  cases: cases.length,
  casesDigest: createHash('sha256')
    .update(cases.map((one) => `${one.caseGuid}:${one.amount}`).join('\n'))
    .digest('hex'),
})

/** What a payout does differently from its request, as a sentence. Null when nothing. */
export function findPayoutChange(before: Record<string, unknown>, now: Requested, told: Told): string | null {
  if (!Array.isArray(before['lines'])) return 'The request does not say which clients are paid.'
  const { account, lines } = before as unknown as Requested
  const known = new Map(lines.map((line) => [line.clientGuid, line]))
  const stay = new Set(now.lines.map(({ clientGuid }) => clientGuid))
  const changes = [
    ...(account === now.account ? [] : [`it is paid from ${now.account} instead of ${account}`]),
    ...lines.flatMap(({ clientGuid, clientName }) =>
      stay.has(clientGuid) ? [] : [`${clientName} is no longer paid`],
    ),
    ...now.lines.flatMap((line) => listLineChanges(known.get(line.clientGuid), line, told)),
  ]
  if (changes.length === 0) return null
  const more = changes.length - changesNamed
  const named = changes.slice(0, changesNamed).join('; ')
  return `The payout has changed since it was requested: ${named}${more > 0 ? `; and ${more} more` : ''}.`
}

function listLineChanges(
  before: RequestedLine | undefined,
  now: RequestedLine,
  { currencyCode, language }: Told,
): string[] {
  const { formats } = findReader(language)
  const money = (amount: number) => formats.money(toMinor(amount, currencyCode), currencyCode)
  if (!before) return [`${now.clientName} is paid too, ${money(now.amount)}`]
  const changes: string[] = []
  if (before.clientName !== now.clientName) changes.push(`${before.clientName} is now ${now.clientName}`)
  if (before.account !== now.account)
    changes.push(`${now.clientName} is paid to ${now.account} instead of ${before.account}`)
  if (before.amount !== now.amount)
    changes.push(`${now.clientName} is paid ${money(now.amount)} instead of ${money(before.amount)}`)
  else if (before.casesDigest !== now.casesDigest)
    changes.push(`the money of ${now.clientName} comes from other cases`)
  return changes
}
