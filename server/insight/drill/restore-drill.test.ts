/** The restore drill: a good backup passes, a bad one is reported, and nothing is left behind or changed. */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { openTestDatabase } from '../../testing/database.ts'
import { hasOpenssl, startAuthority } from '../../testing/time-stamp-authority.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { checkArchive, restoreArchive } from '../../platform/backups/restore-backup.ts'
import { writeBackup } from '../../platform/backups/write-backup.ts'
import { Anchor } from '../../platform/events/anchor.ts'
import { sealAudit } from '../../platform/events/audit-seal.ts'
import { readCertificates } from '../../platform/events/time-stamp.ts'
import { TimeStamper } from '../../platform/events/time-stamper.ts'
import { describeDrill, findDrillAge, findNewestBackup, runRestoreDrill } from './restore-drill.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-drill-'))
const anchorFolder = join(folder, 'anchor')
const backups = join(folder, 'backups')
const good = join(backups, 'good.tar')
let api: TestApi

before(async () => {
  mkdirSync(backups)
  api = await startApi({ FORDRA_SERVICES: '', FORDRA_ANCHOR: anchorFolder, FORDRA_BACKUPS: backups })
  const kept = await api.call('POST', '/debtors', { body: { lastname: 'Ek' } })
  assert.equal(kept.status, 201, kept.text)
  const { body } = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Sparv' } })
  // Open transactions of other tests on the same server delay the seal.
  for (let sealed = 0; sealed === 0;) sealed = await sealAudit(api.sql)
  await api.app.service.anchor.anchorTrail(api.sql)
  await writeBackup(api.sql, good)
  const erased = await api.call('POST', `/debtors/${body.debtorGuid}/services/personal-data-erasure`, {
    body: {},
  })
  assert.equal(erased.status, 200, erased.text)
})
after(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})
afterEach(async () => {
  assert.deepEqual(
    [
      ...(await api.sql`select datname from pg_database where datname = current_database() || '_restore_drill'`),
    ],
    [],
  )
})

const drill = (file: string, anchor = anchorFolder) =>
  runRestoreDrill(file, { databaseUrl: api.databaseUrl, anchorFolder: anchor })
const failed = (report: Awaited<ReturnType<typeof drill>>) => {
  assert.equal(report.isRight, false)
  return report.checks.filter(({ isRight }) => !isRight).map(({ check, found }) => `${check}: ${found}`)
}

test('a good backup passes, with the erasures since then, and the live database is as it was', async () => {
  const before_ = await api.sql`select count(*) from audit_entry`
  const anchored = readFileSync(join(anchorFolder, 'anchor.ndjson'), 'utf8')
  assert.equal(await findDrillAge(api.sql), null)
  const report = await drill(good)
  assert.ok((await findDrillAge(api.sql))! < 60, 'A drill of the command line counts too.')
  assert.ok(report.isRight, describeDrill(report).join('\n'))
  assert.equal(report.checks.length, 7)
  assert.equal(report.rows['debtor'], 2)
  assert.match(report.checks[3]!.found, /^1 erasures/)
  assert.deepEqual([...(await api.sql`select count(*) from audit_entry`)], [...before_])
  assert.equal(readFileSync(join(anchorFolder, 'anchor.ndjson'), 'utf8'), anchored)
  assert.match(describeDrill(report).at(-1)!, /succeeded/)
})

test('a truncated backup fails', async () => {
  const file = join(folder, 'cut.tar')
  writeFileSync(file, readFileSync(good).subarray(0, 20_000))
  assert.match(failed(await drill(file)).join(), /^backup: .*(too early|incomplete)/)
})

test('a backup whose trail was edited fails', async () => {
  const other = await openTestDatabase()
  const file = join(folder, 'edited.tar')
  try {
    await restoreArchive(other.sql, await checkArchive(good))
    await other.sql`alter table audit_entry disable trigger user`
    await other.sql`
      update audit_entry set operation = 'forged' where position = (select min(position) from audit_entry)`
    await other.sql`alter table audit_entry enable trigger user`
    await writeBackup(other.sql, file)
  } finally {
    await other.close()
  }
  assert.match(failed(await drill(file)).join(), /^trail: .*broken at seal 1/)
})

const skip = !hasOpenssl() && 'OpenSSL is not installed'

test('time stamps are checked where an authority is trusted', { skip }, async () => {
  const [authority, other] = await Promise.all([startAuthority(), startAuthority()])
  try {
    const stamped = join(folder, 'stamped')
    cpSync(anchorFolder, stamped, { recursive: true })
    const readTrust = ({ root }: typeof authority) => readCertificates(readFileSync(root, 'utf8'))
    const trusted = readTrust(authority)
    await new TimeStamper(new Anchor(stamped, undefined), { url: authority.url, trusted }, 60).stampTrail()
    const file = join(folder, 'stamped.tar')
    await writeBackup(api.sql, file)
    const drillBy = async (certificates?: typeof trusted) =>
      runRestoreDrill(file, {
        databaseUrl: api.databaseUrl,
        anchorFolder: stamped,
        trusted: certificates,
      })
    const foundBy = async (certificates?: typeof trusted) => {
      const report = await drillBy(certificates)
      assert.ok(report.isRight, describeDrill(report).join('\n'))
      return report.checks.find(({ check }) => check === 'trail')!.found
    }
    assert.match(await foundBy(trusted), /1 time stamps hold, .* by CN=Time Stamps, O=Test/)
    assert.match(await foundBy(), /1 time stamps were not checked\. Set FORDRA_TSA_CA/)
    assert.match(
      failed(await drillBy(readTrust(other))).join(),
      /^trail: .*The time stamp of seal \d+, kept on .*does not hold/,
    )
  } finally {
    await Promise.all([authority.close(), other.close()])
  }
})

test('an anchor without any time stamp fails where an authority is named', async () => {
  const report = await runRestoreDrill(good, {
    databaseUrl: api.databaseUrl,
    anchorFolder,
    isStampExpected: true,
  })
  assert.match(failed(report).join(), /^trail: .*no time stamp was ever kept: heads have gone without one/)
})

test('a missing anchor fails, and none is made', async () => {
  const nowhere = join(folder, 'nowhere')
  assert.match(failed(await drill(good, nowhere)).join(), /^anchor: .*does not know the trail/)
  assert.equal(existsSync(nowhere), false)
})

test('a database of the same name that no drill made is left alone', async () => {
  const [row] = await api.sql<{ name: string }[]>`select current_database() || '_restore_drill' as name`
  await api.sql.unsafe(`create database "${row!.name}"`)
  try {
    assert.match(failed(await drill(good)).join(), /^restore: .*is not one that a drill made/)
  } finally {
    await api.sql.unsafe(`drop database "${row!.name}"`)
  }
})

test('the command takes the newest backup; its job has the report, or fails with it', async () => {
  const runner = await runJobs(api)
  const run = async () => {
    const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/restore-drill', { body: {} })
    return waitForJob(api, body.jobId)
  }
  try {
    const done = await run()
    assert.equal(done.status, 'completed', done.lastError ?? '')
    assert.deepEqual([done.result!['isRight'], done.result!['file']], [true, good])
    const newer = join(backups, 'newer.tar')
    cpSync(good, newer)
    writeFileSync(newer, readFileSync(good).subarray(0, 20_000))
    const later = new Date(Date.now() + 60_000)
    utimesSync(newer, later, later)
    assert.equal(await findNewestBackup(backups), newer)
    const broken = await run()
    assert.equal(broken.status, 'failed')
    assert.match(broken.lastError!, /WRONG {2}backup/)
  } finally {
    await runner.stop()
  }
})
