/** Requests of many users, drawn by a seed: debtors read by key, lists and searches, new and changed debtors. */
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { hashPassword } from '../../server/access/sessions/passwords.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { noUser } from '../../server/access/users/users.rules.ts'
import { insertUser } from '../../server/access/users/users.store.ts'
import { families } from '../drawn/drawn-reads.ts'
import { drawCreate, drawUpdate } from '../drawn/drawn-writes.ts'
import { createRandom, draw } from '../drawn/random.ts'
import type { Supplies } from '../drawn/stock.ts'
import type { PlainRequest } from '../drive/open-loop.ts'
import { buildHeaders, type HttpRequest } from '../drive/requests.ts'
import { signIn } from '../drive/servers.ts'

export type Kind = 'read' | 'list' | 'write'

/** Half reads by key, a third lists and searches, the rest writes: one new debtor in three. */
const shares = { read: 0.5, list: 0.35 }
const shareOfCreates = 1 / 3
const readsDrawn = 2_000
const lists = families.filter(
  ({ name, unrestrictedOnly }) => !unrestrictedOnly && name !== 'by key' && name !== 'portfolio',
)
const byKey = families.find(({ name }) => name === 'by key')!

/** Returns a function that draws so many requests, of the first `users` users in turns. Each write is a new one. */
export function openDrawing(supplies: Supplies, tokens: readonly string[], seed: number) {
  const random = createRandom(seed)
  const stock = supplies.stocks.unrestricted
  const [reads, asked] = [[byKey], lists].map((of) =>
    Array.from({ length: readsDrawn }, () => draw(random, of).draw(random, stock).product),
  )
  const drawOne = (): [Kind, HttpRequest] => {
    const at = random()
    if (at < shares.read) return ['read', draw(random, reads!)]
    if (at < shares.read + shares.list) return ['list', draw(random, asked!)]
    const isNew = random() < shareOfCreates
    return ['write', (isNew ? drawCreate(supplies.writes) : drawUpdate(random, supplies.writes)).product]
  }
  return (count: number, users: number): PlainRequest<Kind>[] =>
    Array.from({ length: count }, (_, index) => {
      const [kind, request] = drawOne()
      return { kind, bytes: writeRequest(request, tokens[index % users]!) }
    })
}

function writeRequest(request: HttpRequest, token: string): Buffer {
  const body = request.body === undefined ? '' : JSON.stringify(request.body)
  const headers = {
    host: 'bench',
    ...buildHeaders({ headers: { authorization: `Bearer ${token}` } }, request),
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

const password = 'one of many who ask at once'
const administrator = 2

/** Returns the logins of new users of the agency. */
export async function addUsers(url: string, count: number) {
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  const origin = { actorId: null, requestId: null, operation: 'bench', businessDate: '2026-01-01' }
  try {
    const partyId = (await findAgency(sql))!
    const passwordHash = await hashPassword(password)
    const logins = Array.from({ length: count }, (_, number) => `user${number}@fordra.example`)
    await inTransaction(sql, async (tx) => {
      for (const login of logins) {
        const record = { ...noUser, email: login, fullName: login, userRole: administrator }
        await insertUser(tx, { partyId, record, passwordHash }, origin)
      }
    })
    return logins.map((login) => ({ login, password }))
  } finally {
    await sql.end({ timeout: 5 })
  }
}

export async function signInAll(address: string, users: readonly { login: string; password: string }[]) {
  const tokens: string[] = []
  for (const user of users) tokens.push(await signIn(address, user))
  return tokens
}
