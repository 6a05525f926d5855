/** Claims that are time-barred go in, and the dry run and the result of an import tell which they are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UploadedFile } from '../../../contract/integration/uploads.ts'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { makeDebtor, setTerms } from '../../testing/records/cases.ts'

let api: TestApi
let runner: JobRunner
before(async () => {
  api = await startApi()
  runner = await runJobs(api)
  await api.setDate('2026-06-15')
  await setTerms(api, await api.addParty('KUND'), { country_code: 'SE' })
  for (const [reference, body] of [
    ['D1', {}],
    ['D2', { juridicalType: 1 }],
  ] as const)
    await api.sql`
      update debtor set debtor_reference = ${reference} where id = ${await makeDebtor(api, body)}`
})
after(async () => {
  await runner.stop()
  await api.close()
})

async function upload(rows: readonly string[]): Promise<string> {
  const heading = 'sourceReference,partyReferenceCode,debtorReference,principal,currencyCode,dueDate'
  const made = await api.call<UploadedFile>('POST', '/system/files?what=cases&fileName=c.csv&source=old', {
    raw: `${[heading, ...rows].join('\n')}\n`,
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(made.status, 201, made.text)
  return made.body.fileGuid
}
async function run(command: 'import' | 'check-import', fileGuid: string): Promise<Job['result']> {
  const { body, text } = await api.call<{ jobId: string }>('POST', `/system/commands/${command}`, {
    body: { argument: [fileGuid] },
  })
  const job = await waitForJob(api, body.jobId)
  assert.equal(job.status, 'completed', job.lastError ?? text)
  return job.result
}

const read = (result: Job['result']) => {
  const { rows, inserted, rejected, barred, firstBarred } = result!
  return [[rows, inserted, rejected, barred], firstBarred]
}

test('the dry run and the import count barred claims, and name the first by line, reference and day', async () => {
  const fileGuid = await upload([
    'NEW,KUND,D1,100,SEK,2026-05-01',
    'OLD,KUND,D1,100,SEK,2020-01-10',
    // A business has ten years.
    'FIRM,KUND,D2,100,SEK,2020-01-10',
    'LAST,KUND,D1,100,SEK,2023-06-15',
    'OVER,KUND,D1,100,SEK,2023-06-14',
    'BAD,KUND,D1,,SEK,2020-01-10',
  ])
  const expected = [
    [6, 5, 1, 2],
    [
      { line: 3, sourceReference: 'OLD', barredOn: '2023-01-10' },
      { line: 6, sourceReference: 'OVER', barredOn: '2026-06-14' },
    ],
  ]
  assert.deepEqual(read(await run('check-import', fileGuid)), expected)
  assert.equal((await api.sql`select from debt_case`).length, 0, 'the dry run stores nothing')
  assert.deepEqual(read(await run('import', fileGuid)), expected)
  const [kept] = await api.sql`select barred::int as barred, inserted::int as inserted from import_run`
  assert.deepEqual({ ...kept }, { barred: 2, inserted: 5 })
  const [old] = await api.sql`
    select limitation_date::text as date from debt_case where source_reference = 'old/OLD'`
  assert.equal(old!['date'], '2023-01-10', 'a barred claim is taken')
})

test('the first fifty are named, and a file without barred claims says nothing of them', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `M${index},KUND,D1,100,SEK,2020-01-10`)
  const result = (await run('check-import', await upload(many)))!
  assert.deepEqual([result['barred'], (result['firstBarred'] as unknown[]).length], [60, 50])
  const none = (await run('check-import', await upload(['N1,KUND,D1,100,SEK,2026-05-01'])))!
  assert.ok(!('barred' in none) && !('firstBarred' in none))
})
