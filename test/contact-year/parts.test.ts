import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runParts, sumParts, type PartResult, type PartedYear } from './parts.ts'
import type { YearOptions } from './year.ts'

const fault = {
  debtor: 4,
  channel: 'sms',
  at: '2026-04-01T05:40:00Z',
  rules: ['The debtor is dead.'],
} as const

const makePart = ({ debtors, days, seed }: YearOptions): PartResult => ({
  debtors,
  days,
  seed,
  contacts: { email: seed, sms: 1, letter: 2, telephone: 3 },
  callsNotMade: 1,
  changes: 2,
  held: seed === 8 ? { deceased: 5 } : { minor: 1 },
  faults: seed === 8 ? [{ ...fault, rules: [...fault.rules] }] : [],
  seconds: 10,
})

const makeYear = (t: TestContext): PartedYear => {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-contact-year-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return { debtors: 100, days: 30, seed: 7, parts: 3, folder }
}

test('a run that was interrupted goes on with the parts that are missing', async (t) => {
  const year = makeYear(t)
  const run: YearOptions[] = []
  const runUntil = (last: number) => (options: YearOptions) => {
    if (options.seed === last) return Promise.reject(new Error('interrupted'))
    run.push(options)
    return Promise.resolve(makePart(options))
  }
  await assert.rejects(runParts(year, runUntil(9)), /interrupted/)
  assert.equal(readdirSync(year.folder!).length, 2)
  const parts = await runParts(year, runUntil(0))
  const begun = run.map(({ seed, debtors }) => [seed, debtors])
  assert.deepEqual(begun, [
    [7, 33],
    [8, 33],
    [9, 34],
  ])
  assert.deepEqual(
    parts.map(({ seed, faults }) => [seed, faults.length]),
    [
      [7, 0],
      [8, 1],
      [9, 0],
    ],
  )
  assert.deepEqual(sumParts(parts), {
    debtors: 100,
    contacts: { email: 24, sms: 3, letter: 6, telephone: 9 },
    callsNotMade: 3,
    changes: 6,
    held: { deceased: 5, minor: 2 },
    seconds: 30,
    notPermitted: 1,
  })
})

const runAtOnce = (options: YearOptions) => Promise.resolve(makePart(options))

test('parts of another length, size or seed are not taken for those that are asked for', async (t) => {
  const year = makeYear(t)
  await runParts(year, runAtOnce)
  for (const other of [{ days: 31 }, { debtors: 103 }, { seed: 17 }]) {
    const parts = await runParts({ ...year, ...other }, runAtOnce)
    assert.equal(sumParts(parts).debtors, { ...year, ...other }.debtors)
    assert.ok(parts.every(({ days }) => days === { ...year, ...other }.days))
  }
  assert.equal(readdirSync(year.folder!).length, 12)
})
