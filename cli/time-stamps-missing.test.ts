/** `verify --anchor` and `restore-drill` where an authority is named and nothing was ever stamped. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { hasOpenssl, startAuthority, type TestAuthority } from '../server/testing/time-stamp-authority.ts'
import { writeBackup } from '../server/platform/backups/write-backup.ts'
import { sealAudit } from '../server/platform/events/audit-seal.ts'
import { runHere } from './testing/run-here.ts'

const skip = !hasOpenssl() && 'OpenSSL is not installed'
const folder = mkdtempSync(join(tmpdir(), 'fordra-unstamped-'))
const anchor = join(folder, 'anchor')
const backup = join(folder, 'backup.tar')
let api: TestApi
let authority: TestAuthority

before(async () => {
  if (skip) return
  authority = await startAuthority()
  api = await startApi({ FORDRA_SERVICES: '', FORDRA_ANCHOR: anchor })
  const { status, text } = await api.call('POST', '/debtors', { body: { lastname: 'Ek' } })
  assert.equal(status, 201, text)
  for (let sealed = 0; sealed === 0;) sealed = await sealAudit(api.sql)
  await api.app.service.anchor.anchorTrail(api.sql)
  await writeBackup(api.sql, backup)
})
after(async () => {
  if (!skip) await Promise.all([api.close(), authority.close()])
  rmSync(folder, { recursive: true })
})

const run = (args: string[], named: boolean) =>
  runHere(args, {
    cwd: folder,
    env: {
      DATABASE_URL: api.databaseUrl,
      FORDRA_ANCHOR: anchor,
      ...(named && { FORDRA_TSA_URL: authority.url, FORDRA_TSA_CA: authority.root }),
    },
  })
const missing = /no time stamp was ever kept: heads have gone without one since 20.*Z, for \d+ s\./

test('verify --anchor fails and says since when', { skip }, async () => {
  const { code, out, err } = await run(['verify', '--anchor', '--json'], true)
  assert.equal(code, 2, err)
  const found = JSON.parse(out) as {
    isRight: boolean
    anchor: { faults: string[]; timeStamps: { unstampedSince: string; unstampedSeconds: number } }
  }
  assert.equal(found.isRight, false)
  assert.match(found.anchor.faults.join(), missing)
  assert.match(found.anchor.timeStamps.unstampedSince, /^20/)
  assert.ok(found.anchor.timeStamps.unstampedSeconds >= 0)
})

test('the restore drill fails and says so', { skip }, async () => {
  const { code, out, err } = await run(['restore-drill', backup], true)
  assert.equal(code, 2, err)
  assert.match(out, /WRONG {2}trail: /)
  assert.match(out, missing)
})

test('both are right where no authority is named', { skip }, async () => {
  for (const args of [
    ['verify', '--anchor'],
    ['restore-drill', backup],
  ]) {
    const { code, out, err } = await run(args, false)
    assert.equal(code, 0, out + err)
    assert.doesNotMatch(out, /no time stamp/)
  }
})
