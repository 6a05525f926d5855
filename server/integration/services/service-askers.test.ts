/** What a service did in a job is undone when its user lost the right to it meanwhile. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { addPerson } from '../../testing/records/agency-people.ts'
import { makeDebtor } from '../../testing/records/cases.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_SERVICES: join(import.meta.dirname, '../../testing/services') })
})
after(() => api.close())

test('a service whose user is disabled while it runs changes nothing', async () => {
  const leaver = await addPerson(api, 3)
  const debtorGuid = await makeDebtor(api)
  // Its first write disables its user, as somebody could at that moment.
  await api.sql.unsafe(`
    create function disable_asker() returns trigger language plpgsql as $$ begin
      update app_user set disabled = true where id = '${leaver.userGuid}'; return null; end $$;
    create trigger disable_asker after insert on extra_field for each statement execute function disable_asker()`)
  const path = `/debtors/${debtorGuid}/services/note?async=true`
  const asked = await leaver.call('POST', path, { body: { name: 'late' } })
  assert.equal(asked.status, 202, asked.text)
  const runner = await runJobs(api)
  const job = await waitForJob(api, asked.headers.get('location')!.split('/').at(-1)!)
  await runner.stop()
  await api.sql.unsafe('drop trigger disable_asker on extra_field; drop function disable_asker')
  assert.equal(job.status, 'failed')
  assert.match(job.lastError!, /note was requested by a user who is disabled now/)
  assert.equal((await api.sql`select from extra_field`).length, 0)
})
