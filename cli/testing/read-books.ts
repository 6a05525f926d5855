/**
 * Reads all that an installation answers about its books, in words that another one would use too. Knows nothing of
 * exports and imports: it asks the API, and puts names in place of GUIDs.
 */
import assert from 'node:assert/strict'
import type { TestApi } from '../../server/testing/api.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Books = Record<string, string[]>

/** Lists of the whole installation. */
const lists = [
  'clients',
  'debtors',
  'cases',
  'payments',
  'paymentplans',
  'paymentplans/payments',
  'thirdparties',
  'accounts',
  'customers',
  'purchases',
  'objects',
]
const ofDebtor = ['', '/addresses', '/extrafields', '/caseoverview', '/cases', '/paymentplans']
const ofCase = ['', '/movements', '/limitation']
const reports = ['dashboard/portfolio', 'dashboard/collected', 'dashboard/plans', 'dashboard/liquidity']

/** What is of an installation itself, not of its books: when it stored a record, and where it is to be found. */
const ofInstallation = new Set(['links', 'lastUpdatedAt'])
const pageRows = 100

export async function readBooks(api: TestApi): Promise<Books> {
  const read = async (path: string) => {
    const { status, body, text: said } = await api.call<{ value?: Json[] }>('GET', `/${path}`)
    assert.equal(status, 200, `${path}: ${said}`)
    return body as { value?: Record<string, Json>[] } & Record<string, Json>
  }
  const readList = async (path: string) => {
    const all: Record<string, Json>[] = []
    for (;;) {
      const { value } = await read(`${path}?$top=${pageRows}&$skip=${all.length}`)
      all.push(...value!)
      if (value!.length < pageRows) return all
    }
  }
  const names = new Map<string, string>()
  for (const one of await readList('clients'))
    names.set(text(one['clientGuid']), `client ${text(one['partyReferenceCode'])}`)
  const debtors = await readList('debtors')
  for (const one of debtors) names.set(text(one['debtorGuid']), `debtor ${text(one['debtorReference'])}`)
  const cases = await readList('cases')
  for (const one of cases) names.set(text(one['caseGuid']), `case ${text(one['caseNumber'])}`)
  const say = (value: Json) => JSON.stringify(rename(value, names))

  const books: Books = {}
  for (const list of lists) books[list] = (await readList(list)).map(say).toSorted()
  for (const report of reports) books[report] = [say(await read(report))]
  for (const one of debtors)
    for (const part of ofDebtor) {
      const answer = await read(`debtors/${text(one['debtorGuid'])}${part}`)
      books[`${names.get(text(one['debtorGuid']))}${part}`] = (answer.value ?? [answer]).map(say).toSorted()
    }
  for (const one of cases) {
    const name = names.get(text(one['caseGuid']))!
    for (const part of ofCase) {
      const answer = await read(`cases/${text(one['caseGuid'])}${part}`)
      books[`${name}${part}`] = [say('transactions' in answer ? withLedger(answer) : answer)]
    }
  }
  return books
}

const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

type Transaction = Record<string, Json> & { reversesGuid: string | null; transactionGuid: string }

/**
 * The ledger as it counts: what was corrected later is left out, as is the day on which the rest was booked, and how a
 * payment came: to the other installation by the import.
 */
function withLedger(answer: Record<string, Json>): Record<string, Json> {
  const all = answer['transactions'] as Transaction[]
  const reversed = new Set(all.map(({ reversesGuid }) => reversesGuid))
  const counted = all.filter((one) => one.reversesGuid === null && !reversed.has(one.transactionGuid))
  const bare = counted.map(({ bookedDate: _day, number: _number, ...one }) => one)
  const place = (one: Record<string, Json>) =>
    `${String(one['valueDate'])} ${JSON.stringify(one['entries']).replaceAll(guid, '')}`
  const movements = (answer['movements'] as Record<string, Json>[]).map(({ detail, ...one }) =>
    one['paymentGuid'] === null ? { ...one, detail: detail! } : one,
  )
  return {
    ...answer,
    movements,
    transactions: bare.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)),
  }
}

const text = (value: Json | undefined): string => {
  assert.equal(typeof value, 'string')
  return value as string
}

function rename(value: Json, names: ReadonlyMap<string, string>): Json {
  const again = (one: Json) => rename(one, names)
  if (typeof value === 'string') return value.replaceAll(guid, (one) => names.get(one) ?? 'one of its own')
  if (Array.isArray(value)) return value.map(again)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ofInstallation.has(name))
      .map(([name, one]) => [name, again(one)]),
  )
}

/** The first differences of two readings, one a line; none where they say the same. */
export function compareBooks(one: Books, other: Books): string[] {
  const subjects = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...subjects].flatMap((subject) => {
    const [rows, others] = [one[subject] ?? [], other[subject] ?? []]
    const missing = rows.filter((row) => !others.includes(row))
    const more = others.filter((row) => !rows.includes(row))
    return rows.length === others.length && missing.length === 0 && more.length === 0
      ? []
      : [`${subject}: ${describeDifference(missing[0] ?? 'nothing', more[0] ?? 'nothing')}`]
  })
}

/** Where two texts begin to differ. */
function describeDifference(one: string, other: string): string {
  const at = [...one].findIndex((sign, index) => sign !== other[index])
  const cut = (row: string) => row.slice(Math.max(0, at - 60), at + 100)
  return `${cut(one)} | ${cut(other)}`
}
