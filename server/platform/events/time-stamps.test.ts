/** Time stamps of the audit trail. The authority is OpenSSL's, and OpenSSL checks what is kept. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { hasOpenssl, startAuthority, type TestAuthority } from '../../testing/time-stamp-authority.ts'
import { inTransaction } from '../database/transaction.ts'
import { Anchor } from './anchor.ts'
import { anchorFile, readAnchorLines, type AnchorLine, type TimeStampLine } from './anchor-file.ts'
import { insertAuditEntry } from './audit-entry.ts'
import { sealAudit } from './audit-seal.ts'
import { readCertificates, readTimeStamp, requestTimeStamp } from './time-stamp.ts'
import { openTimeStamper, TimeStamper } from './time-stamper.ts'
import { verifyAnchor } from './verify-anchor.ts'
import { describeTimeStamps, type StampRules } from './verify-time-stamps.ts'

const skip = !hasOpenssl() && 'OpenSSL is not installed'
const readTrust = ({ root }: TestAuthority) => readCertificates(readFileSync(root, 'utf8'))

let authority: TestAuthority
before(async () => {
  if (!skip) authority = await startAuthority()
})
after(() => authority?.close())
afterEach(() => {
  if (authority) authority.answerBy = undefined
})

const ask = (text: string, { url } = authority) =>
  requestTimeStamp({ url, trusted: readTrust(authority) }, text)

describe('an authority', { skip }, () => {
  test('stamps any text, as OpenSSL confirms', async () => {
    for (let run = 0; run < 10; run++) {
      const text = randomBytes(1 + run * 7).toString('hex')
      const began = Date.now()
      const token = await ask(text)
      assert.match(authority.verify(token, text), /Verification: OK/)
      assert.throws(() => authority.verify(token, `${text}0`))
      const { at, authority: name } = await readTimeStamp(token, text, readTrust(authority))
      assert.ok(Math.abs(Date.parse(at) - began) < 60_000, at)
      assert.equal(name, 'CN=Time Stamps, O=Test')
    }
  })

  test('may sign by elliptic curves', async () => {
    const other = await startAuthority(['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'])
    try {
      const token = await requestTimeStamp({ url: other.url, trusted: readTrust(other) }, 'abc')
      assert.match(other.verify(token, 'abc'), /Verification: OK/)
    } finally {
      await other.close()
    }
  })

  test('that nobody trusts is refused', async () => {
    const other = await startAuthority()
    try {
      await assert.rejects(ask('abc', other), /does not hold: .*certificate/i)
    } finally {
      await other.close()
    }
  })

  test('needs a certificate for time stamps', async () => {
    const token = authority.signByOther(await ask('abc'))
    await assert.rejects(readTimeStamp(token, 'abc', readTrust(authority)), /is not one for time stamps/)
  })

  test('that answers an earlier request again is refused', async () => {
    let first: Buffer | undefined
    authority.answerBy = (query) => ({ body: (first ??= authority.reply(query)) })
    await ask('abc')
    await assert.rejects(ask('abc'), /another nonce/)
    await assert.rejects(ask('abd'), /does not hold/)
  })

  test('that refuses, fails or answers nonsense is reported', async () => {
    for (const [answer, why] of [
      [{ status: 503, body: Buffer.from('busy') }, /HTTP 503/],
      [{ body: Buffer.from('<html>') }, /not as RFC 3161 has it/],
      [{ body: Buffer.alloc(0) }, /not as RFC 3161 has it/],
      [{ body: Buffer.alloc(100_000) }, /more than 65536 bytes/],
      // TimeStampResp with the status rejection and the text "no", written by hand from RFC 3161 and X.690.
      [{ body: Buffer.from('300b300902010230040c026e6f', 'hex') }, /refuses: status 2, no/],
    ] as const) {
      authority.answerBy = () => answer
      await assert.rejects(ask('abc'), why)
    }
  })

  test('whose token is changed anywhere is refused, or the token says the same', async () => {
    const token = await ask('abc')
    const right = await readTimeStamp(token, 'abc', readTrust(authority))
    for (let run = 0; run < 200; run++) {
      const changed = Buffer.from(token)
      const at = randomBytes(4).readUInt32BE() % changed.length
      changed[at]! ^= 1 << (run % 8)
      const read = await readTimeStamp(changed, 'abc', readTrust(authority)).catch(() => undefined)
      if (read) assert.deepEqual(read, right, `bit ${run % 8} of byte ${at}`)
    }
  })
})

describe('the anchor', { skip }, () => {
  let database: TestDatabase
  let folder: string
  let anchor: Anchor
  let stamper: TimeStamper
  beforeEach(async () => {
    database = await openTestDatabase()
    folder = mkdtempSync(join(tmpdir(), 'fordra-anchor-'))
    anchor = new Anchor(folder, undefined)
    stamper = new TimeStamper(anchor, { url: authority.url, trusted: readTrust(authority) }, 60)
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })

  const readStamps = async () =>
    (await readAnchorLines<AnchorLine>(anchorFile(folder))).lines.filter(
      ({ kind }) => kind === 'time-stamp',
    ) as TimeStampLine[]
  const verify = async () =>
    (await verifyAnchor(database.sql, folder, { trusted: readTrust(authority) })).anchor

  async function anchorNew(): Promise<void> {
    await inTransaction(database.sql, (tx) =>
      insertAuditEntry(
        tx,
        { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-31' },
        {
          entity: 'debtor',
          action: 'updated',
          entityId: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70',
          subject: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70',
          changes: { fullName: [null, 'a'] },
        },
      ),
    )
    while ((await sealAudit(database.sql)) === 0);
    await anchor.anchorTrail(database.sql)
  }

  /** As if the lines of the file had been written so many minutes ago. */
  function age(minutes: number): void {
    const earlier = (at: string) => new Date(Date.parse(at) - minutes * 60_000).toISOString()
    const file = anchorFile(folder)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const aged = lines.map((line) => {
      const read = JSON.parse(line) as AnchorLine
      return JSON.stringify({ ...read, at: earlier(read.at) })
    })
    writeFileSync(file, `${aged.join('\n')}\n`)
    anchor = new Anchor(folder, undefined)
    stamper = new TimeStamper(anchor, { url: authority.url, trusted: readTrust(authority) }, 60)
  }

  test('has its first head stamped at once, the next when it has waited long enough', async () => {
    assert.equal(await stamper.stampTrail(), false, 'nothing is anchored')
    await anchorNew()
    assert.ok((await stamper.waitingSeconds()) >= 0)
    assert.equal(await stamper.stampTrail(), true)
    assert.equal(await stamper.waitingSeconds(), 0)
    assert.equal(await stamper.stampTrail(), false, 'nothing is new')
    await anchorNew()
    assert.equal(await stamper.stampTrail(), false, 'it is early')
    age(61)
    assert.ok((await stamper.waitingSeconds()) > 3600)
    await anchorNew()
    assert.equal(await stamper.stampTrail(), true)
    const stamps = await readStamps()
    assert.deepEqual(
      stamps.map(({ seal }) => seal),
      [1, 3],
    )
    for (const { token, hash } of stamps)
      assert.match(authority.verify(Buffer.from(token, 'base64'), hash), /Verification: OK/)
    const { timeStamps, faults } = await verify()
    assert.deepEqual(faults, [])
    assert.equal(timeStamps.count, 2)
    assert.equal(timeStamps.last!.seal, 3)
    assert.equal(timeStamps.unstampedSince, null)
    // Authorities leave out fractions of a second.
    assert.ok(timeStamps.longestWaitSeconds >= 3655, `${timeStamps.longestWaitSeconds}`)
  })

  test('goes on while the authority fails', async () => {
    await anchorNew()
    authority.answerBy = () => ({ status: 500, body: Buffer.alloc(0) })
    await assert.rejects(
      stamper.stampTrail(),
      /no time stamp from FORDRA_TSA_URL: .*HTTP 500.*next attempt is in a minute/,
    )
    await anchorNew()
    assert.equal((await verify()).heads, 2)
    authority.answerBy = undefined
    assert.equal(await stamper.stampTrail(), true)
    assert.deepEqual(
      (await readStamps()).map(({ seal }) => seal),
      [2],
    )
  })

  test('tells what was not checked where nobody is trusted', async () => {
    await anchorNew()
    await stamper.stampTrail()
    const { timeStamps, faults } = (await verifyAnchor(database.sql, folder)).anchor
    assert.deepEqual([timeStamps.unchecked, timeStamps.count, faults], [1, 0, []])
  })

  test('without any time stamp is not right where an authority is to stamp it', async () => {
    const trusted = readTrust(authority)
    const judge = async (rules: StampRules) => (await verifyAnchor(database.sql, folder, rules)).anchor
    await anchorNew()
    age(150)
    authority.answerBy = () => ({ status: 503, body: Buffer.alloc(0) })
    await assert.rejects(stamper.stampTrail(), /HTTP 503/)
    const { timeStamps, faults } = await judge({ trusted, isStampExpected: true })
    assert.equal(faults.length, 1)
    assert.match(faults[0]!, /no time stamp was ever kept: .* since 20.*Z, for 3 h\. See that the server/)
    assert.ok(timeStamps.unstampedSeconds >= 9000, `${timeStamps.unstampedSeconds}`)
    assert.match(describeTimeStamps(timeStamps).join(), /^Heads since 20.* have no time stamp yet: for 3 h/)
    assert.deepEqual((await judge({ trusted })).faults, [], 'no authority is named')
    authority.answerBy = undefined
    await stamper.stampTrail()
    const stamped = await judge({ trusted, isStampExpected: true })
    assert.deepEqual([stamped.faults, stamped.timeStamps.unstampedSeconds], [[], 0])
    // A copy of the database from before the first time stamp.
    const asOf = new Date(Date.now() - 120 * 60_000).toISOString()
    const early = await verifyAnchor(database.sql, folder, { trusted, isStampExpected: true, asOf })
    assert.deepEqual([early.anchor.faults, early.anchor.timeStamps.count], [[], 0])
    assert.ok(early.anchor.timeStamps.unstampedSeconds < 9000)
    assert.ok(early.anchor.timeStamps.unstampedSeconds >= 1799)
  })

  test('whose time stamps were all cut out is not right', async () => {
    await anchorNew()
    await stamper.stampTrail()
    const file = anchorFile(folder)
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.filter((line) => !line.includes('"time-stamp"')).join('\n'))
    const rules = { trusted: readTrust(authority), isStampExpected: true }
    const { faults } = (await verifyAnchor(database.sql, folder, rules)).anchor
    assert.match(faults.join(), /no time stamp was ever kept/)
  })

  test('finds a trail that was written and signed again by somebody who has the key', async () => {
    await anchorNew()
    await anchorNew()
    await stamper.stampTrail()
    const [stamp] = await readStamps()
    // Somebody with the database, the folder and the key starts anew, and keeps the time stamp.
    await database.close()
    database = await openTestDatabase()
    rmSync(anchorFile(folder))
    anchor = new Anchor(folder, undefined)
    await anchorNew()
    await anchorNew()
    const lines = readFileSync(anchorFile(folder), 'utf8')
    writeFileSync(anchorFile(folder), `${lines}${JSON.stringify(stamp)}\n`)
    assert.deepEqual((await verify()).faults, ['Seal 2 is not the one that has a time stamp.'])
    const { seal, hash } = (await readAnchorLines<AnchorLine>(anchorFile(folder))).lines
      .filter((line) => line.kind === 'head')
      .at(-1)!
    writeFileSync(anchorFile(folder), `${lines}${JSON.stringify({ ...stamp, seal, hash })}\n`)
    assert.match((await verify()).faults.join(), /The time stamp of seal 2, kept on .*does not hold/)
  })

  test('finds an end that was cut off with its heads', async () => {
    await anchorNew()
    const earlier = readFileSync(anchorFile(folder), 'utf8')
    await anchorNew()
    await stamper.stampTrail()
    const [stamp] = await readStamps()
    writeFileSync(anchorFile(folder), `${earlier}${JSON.stringify(stamp)}\n`)
    await inTransaction(database.sql, async (tx) => {
      for (const table of ['audit_entry', 'audit_seal', 'audit_head'])
        await tx.unsafe(`alter table ${table} disable trigger user`)
      await tx`delete from audit_entry where xid >= (select from_xid from audit_seal where number = 2)`
      await tx`delete from audit_head where seal = 2`
      await tx`delete from audit_seal where number = 2`
    })
    assert.deepEqual((await verify()).faults, [
      'The trail ends at seal 1, but seal 2 has a time stamp: its end was cut off.',
    ])
  })

  test('asks for no time stamp of heads that a restore has removed', async () => {
    await anchorNew()
    await anchor.recordRestore(new Date(Date.now() - 60_000).toISOString())
    await stamper.stampTrail()
    assert.equal((await readStamps()).length, 0)
  })
})

test('a file without certificates is refused at the start', { skip }, () => {
  const anchor = new Anchor('/nonexistent', undefined)
  const settings = { FORDRA_TSA_URL: 'http://127.0.0.1:1', FORDRA_TSA_MINUTES: 60 }
  assert.throws(
    () => openTimeStamper(anchor, { ...settings, FORDRA_TSA_CA: '/nonexistent.pem' }),
    /FORDRA_TSA_CA: .*ENOENT.*Give a PEM file/,
  )
  assert.throws(
    () => openTimeStamper(anchor, { ...settings, FORDRA_TSA_CA: 'package.json' }),
    /no certificate in PEM/,
  )
  assert.ok(openTimeStamper(anchor, { ...settings, FORDRA_TSA_CA: authority.root }))
})
