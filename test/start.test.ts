/** The product as a user runs it: the first of the README's commands, its signals, and what survives a sudden end. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** A folder that an unprivileged database server can reach, which a test run as root needs. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-start-'))
  chmodSync(folder, 0o711)
  return folder
}

const dataFolder = makeFolder()
const running = new Set<ChildProcess>()

interface Started {
  child: ChildProcess
  address: string
  output: () => string
}

/** Starts the product in a process group of its own and waits until it answers. */
async function start(environment: Record<string, string> = {}): Promise<Started> {
  const { child, output } = launch(environment)
  for (let tries = 0; tries < 400; tries++) {
    const address = /answers at (http:\S+)/.exec(output())?.[1]
    if (address && output().includes('Ctrl-C')) return { child, address, output }
    if (child.exitCode !== null) break
    await sleep(100)
  }
  throw new Error(`The product did not start:\n${output()}`)
}

function launch(environment: Record<string, string>) {
  const settings = {
    FORDRA_DATA: dataFolder,
    FORDRA_DEMO: '1',
    PORT: '0',
    FORDRA_LOG_LEVEL: '0',
    ...environment,
  }
  const child = spawn(process.execPath, ['bin/fordra.mjs', 'start'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, output: () => text }
}

/** Kills the whole process group: wrapper, service and the database's guard. */
function killTree(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

async function stop({ child }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  process.kill(signal === 'SIGINT' ? -child.pid! : child.pid!, signal)
  await ended
  running.delete(child)
  return child.exitCode
}

async function signIn(address: string): Promise<string> {
  const answer = await post(`${address}/api/v1/auth/login`, {
    login: 'admin@demo.example',
    password: 'demo-password-admin',
  })
  return ((await answer.json()) as { accessToken: string }).accessToken
}

const post = (url: string, body: object, token?: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

const readTotal = async (address: string, token: string) => {
  const answer = await fetch(`${address}/api/v1/debtors?$top=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { total: number }).total
}

afterEach(() => {
  for (const child of running) killTree(child)
  running.clear()
})
after(() => rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 }))

/** 200 with three cases each, and 360 whose cases are in a trial. */
const demoDebtors = 560

test('the first start prints address, logins, reference and a curl line that works; SIGTERM stops it in order', async () => {
  const server = await start()
  assert.match(server.output(), /Reference: +http:/)
  assert.match(server.output(), /admin@demo\.example +demo-password-admin/)
  const curl = /^ +(curl .*)$/m.exec(server.output())?.[1]
  assert.ok(curl, 'a curl line is printed')
  const shell = spawn('sh', ['-c', curl])
  let answer = ''
  shell.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await once(shell, 'exit')
  const page = JSON.parse(answer) as { count: number; total: number }
  assert.equal(page.count, 3)
  assert.equal(page.total, demoDebtors)
  assert.equal(await stop(server), 0)
  assert.match(server.output(), /Stopped\./)
})

test('the audit trail of a service that was started and stopped is what it anchored', async () => {
  await stop(await start())
  const verifying = spawn(process.execPath, ['bin/fordra.mjs', 'verify', '--anchor', '--json'], {
    env: { ...process.env, FORDRA_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let told = ''
  verifying.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
  await once(verifying, 'close')
  const { isRight, anchor } = JSON.parse(told) as {
    isRight: boolean
    anchor: { heads: number; faults: string[] }
  }
  assert.deepEqual([isRight, anchor.faults], [true, []])
  assert.ok(anchor.heads > 0)
})

async function waitUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20)
}

test('every acknowledged write is there after kill -9 of the whole tree', async () => {
  const server = await start()
  const token = await signIn(server.address)
  const acknowledged: string[] = []
  const writing = Array.from({ length: 8 }, async () => {
    for (;;) {
      const answer = await post(`${server.address}/api/v1/debtors`, { lastname: 'Bekräftad' }, token).catch(
        () => null,
      )
      if (answer === null) return
      assert.equal(answer.status, 201)
      acknowledged.push(answer.headers.get('location')!)
    }
  })
  await Promise.race([Promise.all(writing), waitUntil(() => acknowledged.length >= 60)])
  killTree(server.child)
  await Promise.all(writing)
  const again = await start()
  const total = await readTotal(again.address, await signIn(again.address))
  assert.ok(
    total >= demoDebtors + acknowledged.length,
    `${total} debtors, ${acknowledged.length} acknowledged`,
  )
  assert.ok(total <= demoDebtors + acknowledged.length + 8, 'no more than those in flight besides')
  assert.equal(await stop(again), 0)
})

test('a second server on the same data folder is told so', async () => {
  const server = await start()
  const second = launch({})
  await once(second.child, 'exit')
  assert.notEqual(second.child.exitCode, 0)
  assert.match(second.output(), /in use by another running Fordra/)
  assert.equal((await fetch(`${server.address}/health/ready`)).status, 200)
  assert.equal(await stop(server, 'SIGINT'), 0)
})

test('requests in flight finish before it stops', async () => {
  const server = await start()
  const token = await signIn(server.address)
  const before = await readTotal(server.address, token)
  const answers = Array.from({ length: 40 }, () =>
    post(`${server.address}/api/v1/debtors`, { lastname: 'Sist' }, token),
  )
  await Promise.race(answers)
  const [code, settled] = await Promise.all([stop(server), Promise.allSettled(answers)])
  assert.equal(code, 0)
  const made = settled.filter((one) => one.status === 'fulfilled' && one.value.status === 201).length
  assert.ok(made > 0)
  const again = await start()
  assert.equal(await readTotal(again.address, await signIn(again.address)), before + made)
  await stop(again)
})

test('a misspelt setting refuses the start and names it', async () => {
  const { child, output } = launch({ FORDRA_RATE_LIMITS: '5' })
  await once(child, 'exit')
  assert.equal(child.exitCode, 1)
  assert.match(output(), /FORDRA_RATE_LIMITS is not a setting\. Did you mean FORDRA_RATE_LIMIT\?/)
})

test('without a demo the first administrator gets a random password, printed once', async () => {
  const folder = makeFolder()
  const settings = { FORDRA_DATA: folder, FORDRA_DEMO: '0', FORDRA_ADMIN_EMAIL: 'chief@agency.example' }
  const taken = createServer()
  try {
    await once(taken.listen(0, '127.0.0.1'), 'listening')
    const { port } = taken.address() as AddressInfo
    const refused = launch({ ...settings, PORT: String(port) })
    await once(refused.child, 'close')
    assert.equal(refused.child.exitCode, 1)
    assert.match(refused.output(), /Port \d+ of 127\.0\.0\.1 is taken .*with PORT\.\s*$/)
    // The refused start made nobody whose password was never shown.
    const server = await start(settings)
    const password = /chief@agency\.example +(\S+)/.exec(server.output())?.[1]
    assert.ok(password && password.length >= 15)
    const login = (address: string) =>
      post(`${address}/api/v1/auth/login`, { login: 'chief@agency.example', password })
    assert.equal((await login(server.address)).status, 200)
    await stop(server)
    const again = await start(settings)
    assert.ok(!again.output().includes('chief@agency.example'))
    assert.equal((await login(again.address)).status, 200)
    await stop(again)
  } finally {
    taken.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
