import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopInTime, type StopStage } from './stop-stages.ts'

const never = () => new Promise<never>(() => {})

test('stages end in their order, and one that does not end is cut and named', async () => {
  const done: string[] = []
  const stage = (name: string, more: Partial<StopStage> = {}): StopStage => ({
    name: () => name,
    stop: async () => void done.push(name),
    until: 1,
    ...more,
  })
  const left = await stopInTime(
    [
      stage('first'),
      stage('2 requests in flight', { stop: never, until: 0.01, cut: () => void done.push('cut') }),
      stage('broken', { stop: () => Promise.reject(new Error('the reason')) }),
      stage('last'),
    ],
    1_000,
    () => {},
  )
  assert.deepEqual(done, ['first', 'cut', 'last'])
  assert.deepEqual(left, ['2 requests in flight', 'broken (the reason)'])
})

test('what is waited for is said', async () => {
  const said: string[] = []
  const stages = [{ name: () => 'jobs', stop: never, until: 1 }]
  assert.deepEqual(await stopInTime(stages, 1_800, (line) => said.push(line)), ['jobs'])
  assert.deepEqual(said, ['Waiting for jobs.'])
})
