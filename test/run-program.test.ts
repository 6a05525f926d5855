import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')

// Says when it listens, counts what it hears, and takes a while to end, so that a second signal would be heard.
const listener = `
let heard: string[] = []
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  heard.push(signal)
  if (heard.length === 1) setTimeout(() => { console.log(heard.join()); process.exit(7) }, 600)
})
setInterval(() => {}, 60_000)
console.log('ready')
`

const next = async (lines: AsyncIterator<string>): Promise<unknown> => (await lines.next()).value
const group = (command: ChildProcess): number => -(command.pid ?? 0)

describe('a command and the program under it', { timeout: 60_000 }, () => {
  let folder: string
  const started: ChildProcess[] = []

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'fordra-program-'))
    write('listen.ts', listener)
    write('deaf.ts', `setInterval(() => {}, 60_000); console.log('ready')`)
    write(
      'end.ts',
      `process.exitCode = Number(process.argv[2]); console.log(process.env.GIVEN, process.argv[3])`,
    )
  })
  after(() => {
    for (const child of started) if (child.exitCode === null) child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

  const writeWrapper = (program: string): string => {
    const bootstrap = pathToFileURL(join(root, 'bin', 'bootstrap.mjs')).href
    const file = relative(root, join(folder, program))
    const wrapper = join(folder, `${program}.mjs`)
    const call = `runProgram(${JSON.stringify(file)}, process.argv.slice(2), { GIVEN: 'given' })`
    writeFileSync(wrapper, `import { runProgram } from '${bootstrap}'\n${call}\n`)
    return wrapper
  }

  const start = (
    program: string,
    ...args: string[]
  ): { command: ChildProcess; lines: AsyncIterator<string> } => {
    const command = spawn(process.execPath, [writeWrapper(program), ...args], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    started.push(command)
    return { command, lines: createInterface({ input: command.stdout })[Symbol.asyncIterator]() }
  }

  test('arguments, environment and exit code pass through', async () => {
    const { command, lines } = start('end.ts', '3', 'two words')
    assert.equal(await next(lines), 'given two words')
    assert.deepEqual(await once(command, 'exit'), [3, null])
  })

  test('a program that ends of itself is not kept alive', async () => {
    const { command } = start('end.ts', '0')
    assert.deepEqual(await once(command, 'exit'), [0, null])
  })

  const ways: [string, (command: ChildProcess) => void, string][] = [
    [
      'Ctrl-C in a terminal (all processes at once)',
      (command) => process.kill(group(command), 'SIGINT'),
      'SIGINT',
    ],
    ['SIGTERM to the command alone', (command) => command.kill('SIGTERM'), 'SIGTERM'],
    [
      'Ctrl-C under npm (all at once, and npm sends it on)',
      (command) => {
        process.kill(group(command), 'SIGINT')
        command.kill('SIGINT')
      },
      'SIGINT',
    ],
  ]
  for (const [name, send, expected] of ways) {
    test(`${name}: heard once, and waited for`, async () => {
      const { command, lines } = start('listen.ts')
      assert.equal(await next(lines), 'ready')
      send(command)
      assert.equal(await next(lines), expected)
      assert.deepEqual(await once(command, 'exit'), [7, null])
    })
  }

  test('kill -9 of the command: the program is told to stop', async () => {
    const { command, lines } = start('listen.ts')
    assert.equal(await next(lines), 'ready')
    command.kill('SIGKILL')
    assert.equal(await next(lines), 'SIGTERM')
  })

  test('a kill of npx, whose shell does not pass it on: the program is told to stop', async () => {
    const wrapper = writeWrapper('listen.ts')
    const command = spawn('sh', ['-c', `"${process.execPath}" "${wrapper}"; true`], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, npm_lifecycle_event: 'npx' },
    })
    started.push(command)
    const lines = createInterface({ input: command.stdout })[Symbol.asyncIterator]()
    assert.equal(await next(lines), 'ready')
    command.kill('SIGTERM')
    assert.equal(await next(lines), 'SIGTERM')
  })

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`a program that does not listen to ${signal} ends by it, and so does the command`, async () => {
      const { command, lines } = start('deaf.ts')
      assert.equal(await next(lines), 'ready')
      command.kill(signal)
      assert.deepEqual(await once(command, 'exit'), [null, signal])
    })
  }
})
