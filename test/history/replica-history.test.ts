/**
 * What reads on a replica promise, tried by several callers on two nodes over HTTP, while a real streaming replica falls
 * behind, catches up, stops and starts. `check-history.ts` judges the history.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, withDatabaseName } from '../../server/platform/database/database.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import {
  startReplicatedServer,
  type ReplicatedServer,
} from '../../server/testing/servers/replicated-server.ts'
import { testServerVariable } from '../../server/testing/test-server.ts'
import { createRandom, type Random } from '../simulate/random.ts'
import { checkHistory, countFallingBack, type Act } from './check-history.ts'

let servers: ReplicatedServer
let api: TestApi
let nodes: TestApi[]
let replicaUrl: string
const former = process.env[testServerVariable]

before(async () => {
  servers = await startReplicatedServer()
  process.env[testServerVariable] = servers.primary.url
  api = await startApi()
  replicaUrl = withDatabaseName(servers.replica.url, new URL(api.databaseUrl).pathname.slice(1))
  await caughtUp()
  nodes = [await api.startNode({}, undefined, replicaUrl), await api.startNode({}, undefined, replicaUrl)]
})
after(async () => {
  for (const node of nodes) await node.close()
  await api.close()
  await servers.replica.stop()
  await servers.stop()
  if (former === undefined) delete process.env[testServerVariable]
  else process.env[testServerVariable] = former
})

async function onReplica<T>(statement: string): Promise<T[]> {
  const sql = openDatabase(replicaUrl, { max: 1 })
  try {
    return [...(await sql.unsafe<Record<string, unknown>[]>(statement))] as T[]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function caughtUp(): Promise<void> {
  const [here] = await api.sql<{ position: string }[]>`select pg_current_wal_insert_lsn()::text as position`
  for (;;) {
    const [found] = await onReplica<{ there: boolean }>(
      `select pg_last_wal_replay_lsn() >= '${here!.position}'::pg_lsn as there`,
    ).catch(() => [])
    if (found?.there) return
    await sleep(20)
  }
}

/** From then on the replica answers without what is written. */
async function standStill(): Promise<void> {
  await onReplica('select pg_wal_replay_pause()')
  for (;;) {
    const [found] = await onReplica<{ state: string }>('select pg_get_wal_replay_pause_state() as state')
    if (found?.state === 'paused') return
    await sleep(20)
  }
}

/** The replica stands still and goes on; once it stops and starts again. */
async function disturb(random: Random, state: { isOver: boolean; wasRestarted: boolean }): Promise<void> {
  for (let turn = 0; !state.isOver; turn++) {
    if (turn === 2) {
      await servers.replica.stop()
      await sleep(random.below(200))
      servers.replica = await servers.startReplica()
      state.wasRestarted = true
    } else {
      await onReplica('select pg_wal_replay_pause()').catch(() => [])
      await sleep(random.below(300))
      await onReplica('select pg_wal_replay_resume()').catch(() => [])
    }
    await sleep(random.below(100))
  }
  await onReplica('select pg_wal_replay_resume()').catch(() => [])
  await caughtUp()
}

interface Caller {
  name: string
  token: string
  random: Random
}

async function act(
  run: string,
  number: number,
  { name, token, random }: Caller,
  mayWrite: boolean,
): Promise<Act> {
  const node = random.pick(nodes)
  const began = performance.now()
  if (mayWrite && random.chance(0.35)) {
    const element = `${name}-${number}`
    const headers: Record<string, string> = random.chance(0.5)
      ? { 'idempotency-key': `${run}-${element}` }
      : {}
    const { status } = await node.call('POST', '/debtors', {
      token,
      headers,
      body: { lastname: element, city: run },
    })
    const ended = status === 201 ? performance.now() : undefined
    return { kind: 'write', caller: name, element, began, ended }
  }
  const staleSeconds = random.pick([0, 1, 3600, 3600])
  const path = `/debtors?$filter=${encodeURIComponent(`city eq '${run}'`)}&$top=100`
  for (;;) {
    const { status, body, text } = await node.call<{ total: number; value: { fullName: string }[] }>(
      'GET',
      path,
      {
        token,
        headers: staleSeconds === 0 ? {} : { 'cache-control': `max-stale=${staleSeconds}` },
      },
    )
    if (status === 503) continue
    assert.equal(status, 200, text)
    assert.ok(body.total <= 100, 'one page has all')
    const elements = body.value.map(({ fullName }) => fullName)
    return { kind: 'read', caller: name, elements, began, ended: performance.now(), staleSeconds }
  }
}

/** Four callers, each with one request after the other. */
async function makeHistory(run: string, seed: number, acts: number): Promise<Act[]> {
  const history: Act[] = []
  const callers = await Promise.all(
    [1, 2, 3, 4].map(async (number) => ({
      name: `caller${number}`,
      token: await api.signIn(3),
      random: createRandom(seed, number),
    })),
  )
  const state = { isOver: false, wasRestarted: false }
  const disturbed = disturb(createRandom(seed, 9), state).catch((error: unknown) => {
    state.isOver = true
    throw error
  })
  const called = callers.map(async (caller) => {
    // Beyond that they only read, until the replica has been away.
    for (let number = 1; (number <= acts || !state.wasRestarted) && !state.isOver; number++)
      history.push(await act(run, number, caller, number <= acts))
  })
  try {
    await Promise.all(called)
  } finally {
    state.isOver = true
    await Promise.allSettled(called)
    await disturbed
  }
  return history
}

// Before the other: after a replica has been away, nodes do not ask it for a while.
test('a node that does not note where its callers wrote is found', async () => {
  const noteWrite = nodes.map((node) => {
    const replica = node.app.service.replica!
    const { noteWrite: kept } = replica
    replica.noteWrite = () => Promise.resolve()
    return () => (replica.noteWrite = kept)
  })
  try {
    const caller = { name: 'caller', token: await api.signIn(3), random: createRandom(1, 1) }
    // The first read notes a position, which the replica has to pass.
    for (let number = 1; number <= 5; number++) await act('Planted', number, caller, false)
    await caughtUp()
    await standStill()
    const history: Act[] = []
    for (let number = 1; number <= 30; number++) history.push(await act('Planted', number, caller, true))
    const found = checkHistory(history)
    assert.match(found.join(' '), /the caller's own write/)
  } finally {
    for (const restore of noteWrite) restore()
    await onReplica('select pg_wal_replay_resume()')
  }
})

test('each caller sees the own writes, and every answer is of one moment that is not too old', async (t) => {
  const history = await makeHistory('First', 20, 50)
  const reads = history.filter(({ kind }) => kind === 'read')
  t.diagnostic(
    `${history.length - reads.length} writes and ${reads.length} reads; ${countFallingBack(history)} answers lacked what the caller had read before.`,
  )
  assert.deepEqual(checkHistory(history), [])
})
