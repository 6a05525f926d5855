import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueLogger } from './queue-log.ts'

const describeTaskFailure = (task: string, error: unknown) => {
  const said: string[] = []
  const logger = queueLogger((message) => said.push(message))
  const job = { task_identifier: task, attempts: 2, max_attempts: 1000 }
  logger.error(`Failed task 7 (${task}) with error '${String(error)}'`, { failure: true, job, error })
  return said
}

test('a failed task without history is logged by name, attempt, error type and location, without its message', () => {
  const error = Object.assign(new TypeError('Ann Ek, 19800101-1234\nowes'), { code: '22P02' })
  const [told, ...more] = describeTaskFailure('webhook', error)
  assert.match(
    told!,
    /^The task webhook failed in attempt 2 with 22P02 at .*queue-log\.test\.ts:\d+:\d+\)?\.$/,
  )
  assert.deepEqual(more, [])
  assert.match(describeTaskFailure('webhook', new TypeError('Ann Ek'))[0]!, /with TypeError at /)
  assert.ok(![told, describeTaskFailure('webhook', 'Ann Ek')[0]].some((text) => /Ek|1234|owes/.test(text!)))
})

test("a failed job with a history is not logged, because its history has the error; the library's own messages are", () => {
  assert.deepEqual(describeTaskFailure('job', new Error('Ann Ek')), [])
  const said: string[] = []
  const logger = queueLogger((message) => said.push(message))
  logger.warn('The connection was lost.')
  logger.info('A job was done.')
  assert.deepEqual(said, ['The connection was lost.'])
})
