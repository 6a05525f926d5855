/** Files that arrive slowly are held in memory: one user cannot fill that of the node. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { basePath } from '../../../contract/api.ts'
import { openByteBudget } from '../../platform/http/limits/byte-budget.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openCases } from '../../testing/records/cases.ts'

let api: TestApi
let path: string
before(async () => {
  api = await startApi({ FORDRA_ATTACHMENT_MB: '1' })
  const { caseGuid } = await (await openCases(api)).register()
  path = `/cases/${caseGuid}/attachments?fileName=long.txt`
})
after(() => api.close())

const nearlyAll = Buffer.alloc(1_000_000, 'a')

/** Sends nearly a whole file and does not end. */
function startUpload(token = api.token): ClientRequest {
  const upload = request(`${api.address}${basePath}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
  })
  upload.on('error', () => undefined)
  upload.write(nearlyAll)
  return upload
}

const send = async (token = api.token) => {
  const upload = startUpload(token)
  upload.end()
  const [answer] = (await once(upload, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] }
}

const until = async (wanted: number) => {
  for (let tries = 0; tries < 200; tries++) {
    if ((await send()).status === wanted) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  assert.fail(`No upload was answered with ${wanted}.`)
}

test('a user who sends seven large files at once is refused one, and others are not', async () => {
  const uploads = Array.from({ length: 7 }, () => startUpload())
  const [refused] = (await Promise.race(uploads.map((upload) => once(upload, 'response')))) as [
    IncomingMessage,
  ]
  assert.equal(refused.statusCode, 503)
  assert.deepEqual(await send(), { status: 503, retryAfter: '5' })
  assert.equal((await send(await api.signIn(3))).status, 201)
  for (const upload of uploads) upload.destroy()
  await until(201)
})

test('what is held counts for the caller and for all, until it is given back', () => {
  const budget = openByteBudget(10, 6)
  const own = budget.open('a')
  own.add(6)
  assert.throws(() => budget.open('a').add(1), /You send or read too many/)
  const other = budget.open('b')
  other.add(4)
  assert.throws(() => budget.open('c').add(1), /Too many large files/)
  own.release()
  own.release()
  budget.open('c').add(6)
  assert.throws(() => budget.open('a').add(1), /Too many large files/)
})
