/** A failed start: it prints the reason and what to do, and nothing else. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runFordra } from '../testing/run-fordra.ts'

const limit = { timeout: 120_000 }
const folder = mkdtempSync(join(tmpdir(), 'fordra-refused-'))
// Root's PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711)
after(() => rmSync(folder, { recursive: true }))
const start = (env: Record<string, string>) =>
  runFordra(['start'], { cwd: folder, env: { FORDRA_DATA: join(folder, 'data'), ...env } })

test('a port in use is named, with the setting to choose another', limit, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const taken = `Port ${port} of 127\\.0\\.0\\.1 is taken by another program, .* with`
  for (const [settings, message] of [
    [{ PORT: port }, `${taken} PORT`],
    [{ PORT: '0', FORDRA_HEALTH_PORT: port }, `${taken} FORDRA_HEALTH_PORT`],
  ] as const) {
    const { code, out, err } = await start(settings)
    assert.equal(code, 1)
    assert.match(err, new RegExp(`^${message}\\.$`, 'm'))
    assert.doesNotMatch(out + err, /"level":"error"/)
  }
  other.close()
  const { code, err } = await start({ PORT: port, FORDRA_HEALTH_PORT: port })
  assert.equal(code, 1)
  assert.match(err, /^FORDRA_HEALTH_PORT is the same as PORT\. Choose another one\.$/m)
})

test('a service that cannot be loaded is named', limit, async () => {
  const services = join(folder, 'services')
  mkdirSync(services)
  writeFileSync(join(services, 'one.ts'), 'export default {')
  const { code, out, err } = await start({ PORT: '0', FORDRA_SERVICES: services })
  assert.equal(code, 1)
  assert.match(err, /^The service .*one\.ts could not be loaded: .*$/m)
  assert.doesNotMatch(out + err, /"level":"error"/)
})

test('a start that is refused writes nothing and builds no console', limit, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const built = join(folder, 'built')
  const script = join(folder, 'build.mjs')
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(built)}, '')\n`,
  )
  const data = join(folder, 'never')
  const settings = { CONSOLE_BUILD: script, FORDRA_DATA: data }
  for (const value of [String(port), 'eighty']) {
    const { code, err } = await start({ ...settings, PORT: value })
    assert.equal(code, 1)
    assert.match(err, /PORT/)
    assert.deepEqual([existsSync(built), existsSync(data)], [false, false], value)
  }
  other.close()
})
