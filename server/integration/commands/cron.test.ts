import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCron, nextRun } from './cron.ts'

const zone = 'Europe/Stockholm'
const next = (cron: string, after: string) => nextRun(cron, zone, new Date(after))?.toISOString()

test('times are in the time zone, in summer and in winter', () => {
  assert.equal(next('30 4 * * *', '2026-07-01T00:00:00Z'), '2026-07-01T02:30:00.000Z')
  assert.equal(next('30 4 * * *', '2026-12-01T00:00:00Z'), '2026-12-01T03:30:00.000Z')
  assert.equal(next('30 4 * * *', '2026-12-01T03:30:00Z'), '2026-12-02T03:30:00.000Z', 'after it, not at it')
  assert.equal(next('0 6 * * MON-FRI', '2026-11-20T12:00:00Z'), '2026-11-23T05:00:00.000Z')
  assert.equal(next('0 6 L * *', '2026-11-20T12:00:00Z'), '2026-11-30T05:00:00.000Z')
})

test('a run in an hour that daylight saving skips comes right after it; a run in a repeated hour happens once', () => {
  assert.equal(next('30 2 * * *', '2027-03-27T12:00:00Z'), '2027-03-28T01:00:00.000Z')
  assert.equal(next('30 2,14 * * *', '2027-03-27T20:00:00Z'), '2027-03-28T01:00:00.000Z')
  const once = next('30 2 * * *', '2026-10-24T12:00:00Z')!
  assert.equal(once, '2026-10-25T00:30:00.000Z')
  assert.equal(next('30 2 * * *', once), '2026-10-26T01:30:00.000Z')
})

test('an invalid expression never runs', () => {
  for (const cron of ['', 'often', '* * * *', '0 0 30 2 *', '? * * * *']) {
    assert.equal(next(cron, '2026-11-20T12:00:00Z'), undefined, cron)
    assert.ok(checkCron(cron), cron)
  }
  assert.equal(checkCron('*/15 8-17 * * 1-5'), undefined)
})
