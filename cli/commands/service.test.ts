/** The template of a new service, run unchanged (U13, U14, D25). */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serviceScopes } from '../../contract/integration/services.ts'
import { startApi } from '../../server/testing/api.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-new-'))
after(() => rmSync(folder, { recursive: true }))
const run = (...given: string[]) =>
  spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, '../main.ts'),
      'service',
      'new',
      ...given,
    ],
    { encoding: 'utf8' },
  )

test('the template of each scope runs unchanged', async () => {
  for (const scope of serviceScopes) {
    const { status, stdout, stderr } = run(`my-${scope}`, '--scope', scope, '--folder', folder)
    assert.equal(status, 0, stderr)
    assert.match(stdout, new RegExp(`Created .*my-${scope}\\.ts`))
  }
  const api = await startApi({ FORDRA_SERVICES: folder })
  const { body: debtor } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Ek' },
  })
  const userGuid = await api.addUser({ email: 'a@agency.example', password: 'a long enough password' })
  for (const path of [
    `/users/${userGuid}/services/my-user`,
    `/debtors/${debtor.debtorGuid}/services/my-debtor`,
    '/users/services/my-global',
  ]) {
    const answer = await api.call('POST', path, { body: { text: 'hej' } })
    assert.equal(answer.status, 200, answer.text)
  }
  await api.close()
})

test('an invalid name, an unknown scope and an existing file are refused', () => {
  assert.match(
    run('Not A Name', '--folder', folder).stderr,
    /cannot be named Not A Name\. Use 1 to 50 small letters/,
  )
  assert.match(run('another', '--scope', 'case', '--folder', folder).stderr, /user, debtor, global/)
  run('twice', '--folder', folder)
  const { status, stderr } = run('twice', '--folder', folder)
  assert.equal(status, 1)
  assert.match(stderr, /exists already/)
})
