/**
 * A PostgreSQL of the simulator's own, in memory and without flushing to disk, and a template with the records that every
 * seed starts from. Its `now()` follows the simulated clock.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../server/app.ts'
import { startSession } from '../../server/access/sessions/sessions.ts'
import { ensureFirstUsers } from '../../server/access/users/first-users.ts'
import { readSettings } from '../../server/platform/config.ts'
import { openDatabase, withDatabaseName, type Database } from '../../server/platform/database/database.ts'
import { startEmbedded } from '../../server/platform/database/embedded/start-embedded.ts'
import { migrate } from '../../server/platform/database/schema/migrate.ts'
import { realSleep } from './virtual-time.ts'

/** Text that must never be found where it does not belong. */
export const password = 'kanariefågel sjunger lösenord'
export const firstDay = '2026-06-15'
/** Strategies, of which the clients have the first. */
export const strategyCodes = ['USUAL', 'PATIENT', 'FIRM'] as const

export interface Fixture {
  /** Access tokens that stay valid. */
  tokens: { admin: string; handler: string; restricted: string; creditor: string; reader: string }
  /**
   * Access tokens of handlers who write at the same time. The requests of one caller wait for each other, so they would never
   * share a batch.
   */
  crowd: readonly string[]
  users: { restricted: string; creditor: string; handler: string; reader: string }
  /** `open` is the client that the restricted user and the creditor may see, `hidden` the other. */
  clients: { open: string; hidden: string }
}

export interface Laboratory {
  fixture: Fixture
  /** A process of the server that answers. */
  processId: number
  /** The socket of the server. */
  socket: string
  /** The folder for the sockets of nodes. */
  folder: string
  createDatabase(name: string): Promise<{ url: string; sql: Database }>
  /** The tables without any record, and the simulated clock. */
  createEmptyDatabase(name: string): Promise<{ sql: Database }>
  dropDatabase(name: string): Promise<void>
  /** The simulator's own connection to a database. */
  open(name: string): Database
  /** Kills a process of the server, so that all of it ends and recovers; returns when it answers again. */
  crash(): Promise<void>
  /** Statements of the simulator itself. */
  sql: Database
  close(): Promise<void>
}

const template = 'simulation_template'
const emptyTemplate = 'simulation_empty'

/** Returns false for a process that is gone: a kill before may still be ending the server. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

export async function openLaboratory(): Promise<Laboratory> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'fordra-simulate-'))
  chmodSync(folder, 0o711)
  const dataFolder = join(folder, 'data')
  const server = await startEmbedded({ dataFolder, durable: false, report: () => {} })
  const open = (name: string) =>
    openDatabase(withDatabaseName(server.url, name), { max: 4, applicationName: 'simulator' })
  let sql = open('postgres')
  /** The process that serves the simulator. A busy machine learns late of a kill, and recovers from it later still. */
  const answer = async (): Promise<number> => {
    for (;;) {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`.catch(() => [])
      if (row) return row.pid
      await sql.end({ timeout: 0 })
      await realSleep(10)
      sql = open('postgres')
    }
  }
  const close = async () => {
    await sql.end({ timeout: 1 })
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await makeEmptyTemplate(sql, withDatabaseName(server.url, emptyTemplate))
    const fixture = await makeTemplate(sql, withDatabaseName(server.url, template))
    return {
      fixture,
      open,
      processId: await answer(),
      folder,
      socket: join(new URL(server.url).searchParams.get('host')!, '.s.PGSQL.5432'),
      get sql() {
        return sql
      },
      createDatabase: async (name) => {
        await sql`create database ${sql(name)} template ${sql(template)} strategy wal_log`
        return { url: withDatabaseName(server.url, name), sql: open(name) }
      },
      createEmptyDatabase: async (name) => {
        await sql`create database ${sql(name)} template ${sql(emptyTemplate)} strategy wal_log`
        return { sql: open(name) }
      },
      dropDatabase: async (name) => {
        await sql`drop database if exists ${sql(name)} with (force)`
      },
      crash: async () => {
        while (!kill(await answer()));
        await sql.end({ timeout: 0 })
        await realSleep(10)
        sql = open('postgres')
        await answer()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Functions before PostgreSQL's own in the search path, and column defaults that call them. */
const clockFunctions = `
  create schema sim;
  create table sim.clock (moved interval not null);
  insert into sim.clock values ('0');
  create table sim.disk (is_full boolean not null);
  insert into sim.disk values (false);
  create function sim.refuse_when_full() returns trigger language plpgsql as $$ begin
    if (select is_full from sim.disk) then raise sqlstate '53100' using message = 'could not extend file: No space left on device'; end if;
    return null;
  end $$;
  do $$ declare name text; begin
    foreach name in array array['audit_entry', 'event', 'movement', 'job_run', 'message', 'idempotency_key', 'debtor'] loop
      execute format('create trigger full_disk before insert on %I for each statement execute function sim.refuse_when_full()', name);
    end loop;
  end $$;
  create function sim.now() returns timestamptz language sql stable as
    $$ select pg_catalog.now() + (select moved from sim.clock) $$;
  create function sim.clock_timestamp() returns timestamptz language sql volatile as
    $$ select pg_catalog.clock_timestamp() + (select moved from sim.clock) $$;
  do $$ declare d record; begin
    for d in select attrelid::regclass as t, attname as c from pg_attrdef join pg_attribute on adrelid = attrelid and adnum = attnum
      where pg_get_expr(adbin, adrelid) = 'now()'
    loop execute format('alter table %s alter column %I set default sim.now()', d.t, d.c); end loop;
    -- A copy of a sequence that has numbers in hand (log_cnt) gives them again after a crash, because the copy's log
    -- does not tell of them.
    for d in select format('%I.%I', schemaname, sequencename) as s, last_value as v from pg_sequences where last_value is not null
    loop perform setval(d.s, d.v); end loop;
  end $$;`

async function makeEmptyTemplate(server: Database, url: string): Promise<void> {
  await server`create database ${server(emptyTemplate)}`
  await migrate(url, () => {})
  const sql = openDatabase(url, { max: 1 })
  await sql.unsafe(clockFunctions).finally(() => sql.end({ timeout: 1 }))
}

async function makeTemplate(server: Database, url: string): Promise<Fixture> {
  await server`create database ${server(template)}`
  await migrate(url, () => {})
  const sql = openDatabase(url, { max: 4 })
  try {
    return await fill(sql)
  } finally {
    await sql.unsafe(clockFunctions)
    await sql.end({ timeout: 1 })
    // Of the role, because a copy of a database does not have the settings of its template.
    await server.unsafe(`
      alter role current_user set synchronous_commit = on;
      alter role current_user set deadlock_timeout = '20ms';
      alter role current_user set search_path = public, sim, pg_catalog`)
  }
}

type Call = (
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  payload: object,
) => Promise<Record<string, string>>

const crowdSize = 6

async function addUsers(call: Call): Promise<{ users: Fixture['users']; crowd: string[] }> {
  let users = 0
  const addUser = async (more: object) => {
    const email = `user${++users}@agency.example`
    const body = { partyReferenceCode: 'AGENCY', email, password, fullName: `User ${users}`, ...more }
    return (await call('POST', '/users', body))['uniqueId']!
  }
  const clientRestriction = [{ partyReferenceCode: 'ALFA', includeSubParties: true }]
  const named = {
    handler: await addUser({ userRole: 3 }),
    restricted: await addUser({ userRole: 3, clientRestriction }),
    creditor: await addUser({ userRole: 6, partyReferenceCode: 'ALFA' }),
    reader: await addUser({ userRole: 5 }),
  }
  const crowd: string[] = []
  while (crowd.length < crowdSize) crowd.push(await addUser({ userRole: 3 }))
  return { users: named, crowd }
}

/** Each moves a new case to a place of its own, a few days after the registration. */
async function addStrategies(call: Call, clients: Fixture['clients']): Promise<void> {
  const places = [
    { afterDays: 2, status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' },
    { afterDays: 9, status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' },
    { afterDays: 0, status: 'AMICABLE', subStatus: 'DEMAND_SENT' },
  ]
  for (const [index, code] of strategyCodes.entries()) {
    const { afterDays, ...place } = places[index]!
    const steps = [{ code: 'FIRST', status: 'NEW', afterDays, actions: [{ kind: 'status', ...place }] }]
    await call('POST', '/strategies', { code, name: code, steps })
  }
  for (const guid of Object.values(clients))
    await call('PUT', `/clients/${guid}/strategy`, { strategy: strategyCodes[0] })
}

/** Without an account of the agency no payout is made. */
async function addAccounts(call: Call, partyGuids: readonly string[]): Promise<void> {
  for (const [index, id] of partyGuids.entries())
    await call('PATCH', `/system/forms/client/terms?id=${id}`, {
      bankAccountNo: accounts[index]!,
      ...(index > 0 && { lettersByEmail: true }),
    })
}
const accounts = ['SE3550000000054910000003', 'SE4550000000058398257466', 'SE7280000810340009783242']

async function fill(sql: Database): Promise<Fixture> {
  const settings = readSettings({
    FORDRA_ADMIN_EMAIL: 'admin@agency.example',
    FORDRA_ADMIN_PASSWORD: password,
    FORDRA_LOG_LEVEL: '0',
    FORDRA_RATE_LIMIT: '0',
  })
  await ensureFirstUsers(sql, settings, firstDay)
  const app = await createApp(sql, settings)
  try {
    const [admin] = await sql<{ id: string }[]>`select id from app_user`
    const signIn = async (id: string) => (await startSession(sql, id)).tokens.accessToken
    const token = await signIn(admin!.id)
    const call: Call = async (method, path, payload) => {
      const answer = await app.http.inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${token}` },
        payload,
      })
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.body}`)
      return answer.json<Record<string, string>>()
    }
    await call('PUT', '/system/systemdate', { systemDate: firstDay })
    const addClient = async (name: string, partyReferenceCode: string) => {
      const body = { name, partyReferenceCode }
      const { clientGuid } = await call('POST', '/system/forms/client/create', body)
      await call('PATCH', `/system/forms/client/edit?id=${clientGuid}`, { currencyCode: 'SEK' })
      return clientGuid!
    }
    const clients = {
      open: await addClient('Alfa AB', 'ALFA'),
      hidden: await addClient('Hemlig AB', 'HEMLIG'),
    }
    await addStrategies(call, clients)
    const [agency] = await sql<{ id: string }[]>`select id from party where parent_id is null`
    await addAccounts(call, [agency!.id, ...Object.values(clients)])
    const { users: ids, crowd: crowdIds } = await addUsers(call)
    const tokens = {
      admin: token,
      handler: await signIn(ids.handler),
      restricted: await signIn(ids.restricted),
      creditor: await signIn(ids.creditor),
      reader: await signIn(ids.reader),
    }
    const crowd: string[] = []
    for (const id of crowdIds) crowd.push(await signIn(id))
    await sql`update session set ends_at = '2035-01-01'`
    await sql`update session_token set expires_at = '2035-01-01'`
    return { tokens, crowd, users: ids, clients }
  } finally {
    await app.close()
  }
}
