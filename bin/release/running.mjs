// A started service of a release: waits until it answers, checks what it answers, and stops it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const startWithinMs = 300_000

/** Starts the service in a process group of its own. Throws with its output when it ends or does not answer. */
export async function startService(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  child.on('error', (error) => (output += error.message))
  for (
    const until = Date.now() + startWithinMs;
    Date.now() < until && child.exitCode === null;
    await sleep(200)
  ) {
    const address = /answers at (http:\S+)/.exec(output)?.[1]
    if (address) return { address, stop: () => stopInOrder(child, () => output) }
  }
  if (child.exitCode === null) await stop(child, 'SIGKILL')
  throw new Error(`The service did not start:\n${output}`)
}

async function stopInOrder(child, readOutput) {
  await stop(child)
  assert.match(readOutput(), /^Stopped\.$/m)
}

/** npx ends before the service that it started: the end is when nobody holds its output open any more. */
async function stop(child, signal = 'SIGTERM') {
  const closed = once(child, 'close')
  process.kill(-child.pid, signal)
  await closed
}

/** Checks what every release must answer: health, console, documentation, API document, and a page of the API. */
export async function checkAnswers(address, version, login) {
  const read = async (path, headers = {}) => {
    const answer = await fetch(address + path, { headers })
    assert.equal(answer.status, 200, path)
    return answer.text()
  }
  await read('/health/ready')
  assert.match(await read('/'), /<script type="module"/)
  assert.match(await read('/docs'), /Documentation/)
  const document = JSON.parse(await read('/api/v1/openapi.json'))
  assert.equal(document.info.version, version)
  if (!login) return
  const answer = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  assert.equal(answer.status, 200, 'sign-in')
  const { accessToken } = await answer.json()
  const page = JSON.parse(await read('/api/v1/debtors?$top=1', { authorization: `Bearer ${accessToken}` }))
  assert.equal(page.count, page.total === 0 ? 0 : 1)
}
