/**
 * Sends well-formed requests of every operation and form with a record of another client at each place that takes one:
 * in the path, the query and the body. Each answer equals that for a record which does not exist, also as a dry run.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { allAccessCodes } from '../../../contract/access/access.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { makeClientWorld } from '../../testing/records/client-world.ts'
import { drawForms, drawOperations, type DrawnRequest } from '../../testing/records/drawn-requests.ts'
import type { ClientWorld } from '../../testing/records/form-requests.ts'

const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'

let api: TestApi
let own: ClientWorld
let foreign: ClientWorld
let drawn: DrawnRequest[]

before(async () => {
  api = await startApi({ FORDRA_SERVICES: join(import.meta.dirname, '../../../services') })
  await api.setDate('2026-03-02')
  await api.sql`
    insert into access_group (id, code, name, access_codes)
    values (${nowhere}, 'EVERYTHING', 'Everything', ${allAccessCodes})`
  own = await makeClientWorld(api, 'VORONA')
  foreign = await makeClientWorld(api, 'KANARIE')
  drawn = [...drawOperations(own), ...(await drawForms(api, own))]
})
after(() => api.close())

/** A user with every right who is restricted to the own client. */
async function addCaller(userRole: number, place: object): Promise<string> {
  const login = `caller${userRole}@agency.example`
  const password = 'en lång mening som är hennes'
  const user = { email: login, password, fullName: 'Eva Lind', userRole, accessGroups: ['EVERYTHING'] }
  const made = await api.call<{ uniqueId: string }>('POST', '/users', { body: { ...user, ...place } })
  assert.equal(made.status, 201, made.text)
  const signedIn = await api.call<{ accessToken: string }>('POST', '/auth/login', {
    body: { login, password },
    token: null,
  })
  await api.sql`update app_user set mfa_type = 2 where id = ${made.body.uniqueId}`
  return signedIn.body.accessToken
}

function send({ method, path, body }: DrawnRequest, token: string, dryRun = false) {
  const place = dryRun ? `${path}${path.includes('?') ? '&' : '?'}dryRun=true` : path
  return api.call<{ errors?: object } | null>(method, place, { token, ...(body !== undefined && { body }) })
}

/** Leaves out members that the answer criticises, until the request is well formed. Writes nothing. */
async function wellForm(request: DrawnRequest, token: string): Promise<DrawnRequest & { status: number }> {
  let formed = request
  for (let tries = 0; ; tries++) {
    const { status, body } = await send(formed, token, request.method !== 'GET')
    const wrong = Object.keys(body?.errors ?? {})
    const members = Object.entries(formed.body ?? {})
    if (status !== 400 || tries === 5 || !members.some(([name]) => wrong.includes(name)))
      return { ...formed, status }
    formed = { ...formed, body: Object.fromEntries(members.filter(([name]) => !wrong.includes(name))) }
  }
}

/** What identifies a record of the own client, one of the other client, and none. */
interface Swap {
  own: string
  foreign: string
  missing: string
}

const guids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const missingLike = (text: string) =>
  text.match(guids) ? nowhere : /^\d+$/.test(text) ? `9${text.slice(1)}` : 'NOBODY'

function listSwaps(): Swap[] {
  const identifiers = Object.entries({ ...own.known, ...own.members })
  const swaps = identifiers.map(([name, value]): [string, Swap] => {
    const other = foreign.members[name] ?? foreign.known[name]
    assert.ok(other, `the other client has a ${name}`)
    return [value, { own: value, foreign: other, missing: missingLike(value) }]
  })
  return [...new Map(swaps).values()].filter((one) => one.own !== one.foreign)
}

/** Each place alone, and all together. */
function listAttempts(request: DrawnRequest, swaps: Swap[]): Swap[][] {
  const text = JSON.stringify([request.path, request.body])
  const found = swaps.filter((one) => text.includes(one.own))
  return [...found.map((one) => [one]), ...(found.length > 1 ? [found] : [])]
}

const change = (request: DrawnRequest, swaps: Swap[], to: 'foreign' | 'missing') =>
  JSON.parse(
    swaps.reduce((text, one) => text.replaceAll(one.own, one[to]), JSON.stringify(request)),
  ) as DrawnRequest

/** Without what differs between any two requests, and without the identifiers that were sent. */
const comparable = ({ status, text }: Response<unknown>) =>
  `${status} ${text
    .replaceAll(guids, 'guid')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"instance":"[^"]*",?/g, '')}`

/** All rows that name a record of the other client, but for those of the requests themselves. */
async function readForeignRows(): Promise<string> {
  const pattern = [...new Set(Object.values({ ...foreign.known, ...foreign.members }))]
    .filter((one) => one.match(guids) !== null)
    .join('|')
  const tables = await api.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') order by 1`
  const parts = tables.map(
    ({ name }) => `select '${name}' as name, t::text as row from ${name} t where t::text ~ '${pattern}'`,
  )
  const rows = await api.sql.unsafe(`${parts.join(' union all ')} order by 1, 2`)
  assert.ok(rows.length > 30, `${rows.length} rows`)
  return JSON.stringify(rows)
}

/** Sends one attempt with the other client's records and with none, and says how the answers differ. */
async function attempt(request: DrawnRequest, swaps: Swap[], token: string): Promise<string[]> {
  const found: string[] = []
  const foreignRequest = change(request, swaps, 'foreign')
  for (const dryRun of request.takesDryRun ? [true, false] : [false]) {
    const answer = await send(foreignRequest, token, dryRun)
    const missing = await send(change(request, swaps, 'missing'), token, dryRun)
    const about = `${request.name} ${foreignRequest.path} ${JSON.stringify(foreignRequest.body)}`
    if (comparable(answer) !== comparable(missing))
      found.push(`${about}: ${answer.text}\n  and for none: ${missing.text}`)
    if (/KANARIE/.test(answer.text) && !about.includes('KANARIE')) found.push(`${about}: ${answer.text}`)
  }
  return found
}

const callers: [who: string, role: number, place: object][] = [
  ['a user of the client', 6, { partyReferenceCode: 'VORONA' }],
  [
    'a user of the agency who is restricted to the client',
    3,
    {
      partyReferenceCode: 'AGENCY',
      clientRestriction: [{ partyReferenceCode: 'VORONA', includeSubParties: true }],
    },
  ],
]
for (const [who, role, place] of callers) {
  test(`${who}: a record of another client looks like none, at every place of every operation and form`, async () => {
    const token = await addCaller(role, place)
    const swaps = listSwaps()
    const requests: DrawnRequest[] = []
    let malformed = 0
    for (const request of drawn) {
      const isTried = request.method === 'GET' || request.takesDryRun
      const formed = isTried ? await wellForm(request, token) : { ...request, status: 0 }
      if (formed.status === 400) malformed += 1
      requests.push(formed)
    }
    assert.ok(malformed <= 8, `${malformed} of ${drawn.length} requests are malformed`)
    const rows = await readForeignRows()
    const found: string[] = []
    let sent = 0
    let effective = 0
    for (const request of requests)
      for (const chosen of listAttempts(request, swaps)) {
        sent += 1
        found.push(...(await attempt(request, chosen, token)))
        if (!request.takesDryRun) continue
        const unrestricted = await send(change(request, chosen, 'foreign'), api.token, true)
        if (unrestricted.status < 300) effective += 1
      }
    assert.deepEqual(found, [])
    assert.equal(await readForeignRows(), rows)
    assert.ok(sent >= 220 && effective >= 60, `${sent} sent, ${effective} of them possible for others`)
  })
}
