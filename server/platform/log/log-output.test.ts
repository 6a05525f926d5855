import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { openLogOutput } from './log-output.ts'

const line = (number: number) => `${JSON.stringify({ number, text: 'x'.repeat(1_000) })}\n`

test('lines that a stopped reader leaves no room for are dropped, counted and told of', async () => {
  const written: string[] = []
  const held: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      written.push(chunk)
      held.push(done)
    },
  })
  let dropped = 0
  const output = openLogOutput(stream, (lines) => (dropped += lines))
  for (let number = 0; number < 5_000; number++) output.write(line(number))
  assert.ok(dropped > 3_000 && dropped < 5_000, String(dropped))
  // The reader goes on.
  const reading = setInterval(() => held.shift()?.(), 1)
  await output.flush(60_000)
  output.write(line(5_000))
  await output.flush(60_000)
  clearInterval(reading)
  const lines = written
    .join('')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, unknown>)
  const notice = lines.find(({ level }) => level === 'warn')!
  assert.equal(notice['lines'], dropped)
  assert.equal(lines.length, 5_001 - dropped + 1)
  assert.equal(lines.at(-1)!['number'], 5_000)
})

test('a reader that is gone costs lines, not the service', async () => {
  const stream = new Writable({
    autoDestroy: false,
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  })
  let dropped = 0
  const output = openLogOutput(stream, (lines) => (dropped += lines))
  output.write(line(1))
  await output.flush(60_000)
  await new Promise(setImmediate)
  assert.equal(dropped, 1)
})

test('a full disk below a log file costs lines, not the service', async () => {
  const stream = new Writable({ write: () => {} })
  stream.write = () => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  }
  let dropped = 0
  const output = openLogOutput(stream, (lines) => (dropped += lines))
  output.write(line(1))
  await output.flush(0)
  assert.equal(dropped, 1)
})
