/**
 * The ceiling over HTTP: the same SQL through the same driver and pool on the same framework, and nothing else. No
 * session, validation, events, audit, headers or log. Started as a process of its own with a file that says what to serve.
 */
import { readFile } from 'node:fs/promises'
import { verify } from '@node-rs/argon2'
import { fastify } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { DemoDebtor } from '../../cli/demo/debtors.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { bareCreateParameters, bareCreateText, writeAddressUpdate, writeUpdate } from './bare-writes.ts'
import { fillParameters, type Statement } from '../scenarios/statements.ts'

export interface BareConfig {
  url: string
  pool: number
  /** Of the scenarios that read, by name, for each kind of request. */
  reads: Record<string, Statement[][]>
}

const config = JSON.parse(await readFile(process.argv[2]!, 'utf8')) as BareConfig
const sql = openDatabase(config.url, { max: config.pool, applicationName: 'fordra bare' })
const lists = openDatabase(config.url, {
  max: Math.ceil(config.pool / 2),
  applicationName: 'fordra bare lists',
  planEach: true,
})
const app = fastify()
// Without parameters the driver would not prepare, unless told that the protocol is not to be the simple one.
const extended: object = { simple: false }
const prepared = { prepare: true, ...extended }

for (const [name, kinds] of Object.entries(config.reads)) {
  const run = (statement: Statement, value: string) =>
    (statement.planEach === true ? lists : sql).unsafe(
      statement.text,
      fillParameters(statement, value),
      statement.prepared ? prepared : { prepare: false },
    )
  app.get<{ Params: { value: string } }>(`/${name}/:value`, async (request, reply) => {
    const { value } = request.params
    const statements = kinds.length === 1 ? kinds[0]! : kinds[Number(value)]!
    const rows =
      statements.length === 1
        ? await run(statements[0]!, value)
        : await Promise.all(statements.map((statement) => run(statement, value)))
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(rows))
  })
}

app.post<{ Body: Partial<DemoDebtor> }>('/create', async (request, reply) => {
  const parameters = bareCreateParameters([uuidv7(), uuidv7()], request.body)
  const rows = await sql.unsafe(bareCreateText, parameters, { prepare: true })
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(rows))
})

for (const [path, write] of [
  ['update', writeUpdate],
  ['address', writeAddressUpdate],
] as const)
  app.patch<{ Params: { value: string }; Body: Record<string, string | number | boolean> }>(
    `/${path}/:value`,
    async (request, reply) => {
      const [member, value] = Object.entries(request.body)[0]!
      const { count } = await sql.unsafe(write(member), [request.params.value, value], { prepare: true })
      return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify({ count }))
    },
  )

app.post<{ Body: { login: string; password: string } }>('/login', async (request, reply) => {
  const { login, password } = request.body
  const [user] = await sql<{ hash: string }[]>`
    select password_hash as hash from app_user where lower(email) = lower(${login})`
  const matches = await verify(user!.hash, password)
  return reply.code(matches ? 200 : 401).send(JSON.stringify({ matches }))
})

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`The bare server answers at ${address}\n`)
process.once('SIGTERM', () => {
  void app.close().then(() => Promise.all([sql.end({ timeout: 5 }), lists.end({ timeout: 5 })]))
})
