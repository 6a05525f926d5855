/** The whole service on a database of the test's own, called over HTTP as a client would. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Sql } from '../platform/database/driver/pool.ts'
import { basePath, operations } from '../../contract/api.ts'
import type { UserRole } from '../../contract/access/access.ts'
import type { Operation } from '../../contract/platform/operation.ts'
import { DryRun, dryRunMediaType } from '../../contract/platform/dry-run.ts'
import { Problem } from '../../contract/platform/problem.ts'
import { createApp, type App } from '../app.ts'
import { readSettings } from '../platform/config.ts'
import { openDatabase } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { startSession } from '../access/sessions/sessions.ts'
import { findAgency, insertParty } from '../access/users/parties.store.ts'
import { noUser } from '../access/users/users.rules.ts'
import { insertUser } from '../access/users/users.store.ts'
import { listen } from '../platform/http/listening/listen.ts'
import { openTestDatabase, openTestPools, type TestDatabase } from './database.ts'

export interface Response<T = Record<string, unknown>> {
  status: number
  headers: Headers
  body: T
  text: string
}

export interface CallOptions {
  body?: unknown
  /** Sent as it is, in place of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  /** Another token than the API's own administrator's; null for none. */
  token?: string | null
}

export interface TestApi {
  app: App
  sql: Sql
  databaseUrl: string
  address: string
  token: string
  /** Calls a path below `/api/v1`; the answer is checked against the contract. */
  call<T = Record<string, never>>(method: string, path: string, options?: CallOptions): Promise<Response<T>>
  /** A signed-in user of a role: of the agency, or of the given party. Returns the access token. */
  signIn(role: UserRole, partyId?: string): Promise<string>
  addParty(referenceCode: string): Promise<string>
  /** A user of the agency who signs in with a password. Returns the guid. */
  addUser(user: { email: string; userCode?: string; password: string; userRole?: UserRole }): Promise<string>
  setDate(date: string | null): Promise<void>
  /**
   * One more node of the service on the same database, which the first one's `close` does not close. `url` is another
   * way to the database, `replicaUrl` one to a replica of it.
   */
  startNode(settings?: Record<string, string>, url?: string, replicaUrl?: string): Promise<TestApi>
  close(): Promise<void>
}

const usualSettings = {
  FORDRA_LOG_LEVEL: '0',
  FORDRA_RATE_LIMIT: '0',
  // Other tests have the processors too, so that a request waits longer than it would.
  FORDRA_QUEUE_SECONDS: '30',
  FORDRA_SERVICES: join(import.meta.dirname, 'no-services'),
  PORT: '0',
  FORDRA_ANCHOR: join(tmpdir(), `fordra-test-anchor-${process.pid}`),
}

process.once('exit', () => rmSync(usualSettings.FORDRA_ANCHOR, { recursive: true, force: true }))

/** A hash names its own cost, so that signing in is cheap too. The real cost takes a fiftieth of a run's time. */
const cheapest = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 } as const

/** Counted for all nodes of a test, which share a database. */
let users = 0

const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-01' }

export async function startApi(settings: Record<string, string> = {}): Promise<TestApi> {
  return startNode(await openTestDatabase(), settings)
}

async function startNode(
  database: TestDatabase,
  settings: Record<string, string>,
  known?: string,
  replicaUrl?: string,
): Promise<TestApi> {
  const { sql, lists } = database
  const replica =
    replicaUrl === undefined ? null : openDatabase(replicaUrl, { max: 4, connectTimeoutSeconds: 1 })
  const read = readSettings({ ...usualSettings, ...settings })
  const app = await createApp(sql, read, lists, replica)
  const address = await listen(app.http, {
    host: read.HOST,
    port: read.PORT,
    healthPort: read.FORDRA_HEALTH_PORT,
  })
  const agency =
    (await findAgency(sql)) ??
    (await insertParty(sql, { referenceCode: 'AGENCY', name: 'Agency', parentId: null }))
  const signIn = async (userRole: UserRole, partyId = agency) => {
    const number = ++users
    const record = {
      ...noUser,
      userCode: `user${number}`,
      email: `user${number}@agency.example`,
      fullName: `User ${number}`,
      userRole,
    }
    const userId = await inTransaction(sql, (tx) =>
      insertUser(tx, { partyId, record, passwordHash: null }, origin),
    )
    return (await startSession(sql, userId)).tokens.accessToken
  }
  const token = known ?? (await signIn(2))
  return {
    app,
    sql,
    databaseUrl: database.url,
    address,
    token,
    signIn,
    addParty: (referenceCode) => insertParty(sql, { referenceCode, name: referenceCode, parentId: agency }),
    addUser: async ({ email, userCode = null, password, userRole = 3 }) => {
      const passwordHash = await hash(password.normalize('NFKC'), cheapest)
      const record = { ...noUser, userCode, email, fullName: email, userRole }
      return inTransaction(sql, (tx) => insertUser(tx, { partyId: agency, record, passwordHash }, origin))
    },
    setDate: (date) => app.service.clock.setDate(date),
    startNode: async (own = {}, url = database.url, ownReplicaUrl) => {
      return startNode({ ...openTestPools(url, 4), url }, own, token, ownReplicaUrl)
    },
    call: (method, path, options) => call(address + basePath + path, method, { token, ...options }),
    close: async () => {
      await app.close()
      await replica?.end({ timeout: 1 })
      await database.close()
    },
  }
}

async function call<T>(url: string, method: string, options: CallOptions): Promise<Response<T>> {
  const { body, raw, token } = options
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(typeof token === 'string' && { authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json')
    ? (JSON.parse(text) as unknown)
    : undefined
  checkAnswer(method, new URL(url).pathname, response, json)
  return { status: response.status, headers: response.headers, body: json as T, text }
}

const ajv = new Ajv({
  allErrors: true,
  keywords: ['x-field', 'x-demands', 'x-extensible-enum'],
  allowUnionTypes: true,
})
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/)

/** `/users/current` before `/users/:userGuid`. */
const countParameters = (path: string) => path.split(':').length
const served = operations
  .toSorted((a, b) => countParameters(a.path) - countParameters(b.path))
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${basePath}${operation.path.replace(/:\w+/g, '[^/]+')}$`),
  }))
const checks = new Map<Operation, ValidateFunction>()

/** Compiled when first needed: most test files call few operations. */
function findCheck(operation: Operation): ValidateFunction {
  const check = checks.get(operation) ?? ajv.compile(closed(operation.response))
  checks.set(operation, check)
  return check
}

const checkProblem = ajv.compile(Problem)
const checkDryRun = ajv.compile(DryRun)

/** An answer's schema without ids and with no room for members that the contract does not name. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    const node = value as { type?: string; properties?: object; additionalProperties?: boolean; $id?: string }
    if (name === '$id') return undefined
    if (
      typeof value === 'object' &&
      value !== null &&
      node.type === 'object' &&
      node.properties &&
      !('additionalProperties' in node)
    ) {
      return { ...node, additionalProperties: false }
    }
    return value
  }) as object
}

/** Every answer in every test is what the contract says it is. */
function checkAnswer(method: string, path: string, response: globalThis.Response, json: unknown): void {
  assert.ok(response.headers.get('x-request-id'), 'an answer has a request id')
  if (response.status >= 400) {
    assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
    assert.ok(checkProblem(json), ajv.errorsText(checkProblem.errors))
    assert.equal((json as Problem).status, response.status)
    return
  }
  if (response.headers.get('content-type')?.startsWith(dryRunMediaType))
    return assert.ok(checkDryRun(json), ajv.errorsText(checkDryRun.errors))
  const found = served.find((one) => one.operation.method === method && one.pattern.test(path))
  assert.ok(found, `${method} ${path} is an operation of the contract`)
  const { status, accepts } = found.operation as Operation
  if (response.status !== 202 || !accepts) assert.equal(response.status, status)
  if (response.status === 302) {
    assert.ok(response.headers.get('location'), 'a redirect leads somewhere')
    return
  }
  const { responseType, formats = [] } = found.operation as Operation
  const type = response.headers.get('content-type')?.split(';')[0]
  if (formats.some((format) => format === type)) return
  if (responseType !== undefined) return assert.equal(response.headers.get('content-type'), responseType)
  const check = findCheck(found.operation)
  assert.ok(check(json), `${found.operation.id}: ${ajv.errorsText(check.errors)}`)
}
