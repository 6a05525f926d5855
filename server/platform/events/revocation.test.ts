/** Revoked certificates of a time stamp authority. The lists are OpenSSL's. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { hasOpenssl, startAuthority, type TestAuthority } from '../../testing/time-stamp-authority.ts'
import { Anchor } from './anchor.ts'
import { readRevocationLists } from './revocation.ts'
import { readCertificates, readTimeStamp, requestTimeStamp } from './time-stamp.ts'
import { openTimeStamper, readStampRules } from './time-stamper.ts'
import { describeTimeStamps, verifyTimeStamps } from './verify-time-stamps.ts'

const skip = !hasOpenssl() && 'OpenSSL is not installed'
const hour = 3_600_000

describe('a certificate of the authority', { skip }, () => {
  let authority: TestAuthority
  let trusted: ReturnType<typeof readCertificates>
  let token: Buffer
  before(async () => {
    authority = await startAuthority()
    trusted = readCertificates(readFileSync(authority.root, 'utf8'))
    token = await requestTimeStamp({ url: authority.url, trusted }, 'abc')
  })
  after(() => authority.close())

  const makeLists = (revoked?: { at: Date; reason?: string }) =>
    readRevocationLists(readFileSync(authority.listRevoked(revoked)))
  const read = (revoked?: { at: Date; reason?: string }) =>
    readTimeStamp(token, 'abc', trusted, makeLists(revoked))
  const [earlier, later] = [new Date(Date.now() - hour), new Date(Date.now() + hour)]

  test('that nobody revoked holds, and it is told how new the list is', async () => {
    const { revocation } = await read()
    assert.ok(Math.abs(Date.parse(revocation.listedAt!) - Date.now()) < hour)
    assert.ok(Date.parse(revocation.replacedBy!) > Date.now() + 6 * 24 * hour)
  })

  test('that was replaced keeps its earlier time stamps, and loses later ones', async () => {
    for (const reason of ['superseded', 'cessationOfOperation', 'affiliationChanged']) {
      await read({ at: later, reason })
      await assert.rejects(read({ at: earlier, reason }), /was revoked on .* and the time stamp is of 20/)
    }
  })

  test('whose key was stolen, or that was revoked without a reason, loses all time stamps', async () => {
    for (const at of [earlier, later])
      for (const reason of ['keyCompromise', 'CACompromise', 'certificateHold', undefined])
        await assert.rejects(
          read({ at, ...(reason !== undefined && { reason }) }),
          /The certificate CN=Time Stamps, O=Test was revoked on .*so no time stamp by it holds/,
        )
  })

  test('that is revoked gives no new time stamp', async () => {
    const lists = makeLists({ at: earlier, reason: 'superseded' })
    await assert.rejects(
      requestTimeStamp({ url: authority.url, trusted, readLists: () => lists }, 'abd'),
      /was revoked on/,
    )
  })

  test('is not judged by the list of another issuer of the same name', async () => {
    const other = await startAuthority()
    try {
      const lists = readRevocationLists(
        readFileSync(other.listRevoked({ at: earlier, reason: 'keyCompromise' })),
      )
      await assert.rejects(
        readTimeStamp(token, 'abc', trusted, lists),
        /list of CN=Root has a wrong signature/,
      )
    } finally {
      await other.close()
    }
  })

  test('is judged by lists in DER, and several in one file', () => {
    const pem = readFileSync(authority.listRevoked())
    const der = execFileSync('openssl', ['crl', '-outform', 'DER'], { input: pem })
    assert.equal(readRevocationLists(der).length, 1)
    assert.equal(readRevocationLists(Buffer.concat([pem, pem])).length, 2)
    assert.throws(() => readRevocationLists(Buffer.from('nothing')), /no revocation list in PEM or DER/)
  })

  test('makes verification fail, and what is not known is told', async () => {
    const at = new Date().toISOString()
    const line = { kind: 'time-stamp', at, seal: 1, hash: 'abc', token: token.toString('base64') } as const
    const trail = { heads: [{ seal: 1, at }], stamps: [line], hasStamps: true, until: at }
    const judge = async (lists: ReturnType<typeof makeLists>) => {
      const faults: string[] = []
      const check = await verifyTimeStamps(trail, { trusted, lists }, faults)
      return { faults: faults.join(), said: describeTimeStamps(check).join(' ') }
    }
    const unknown = await judge([])
    assert.equal(unknown.faults, '')
    assert.match(unknown.said, /Of 1 of 1 time stamps it is not known whether .* Set FORDRA_TSA_CRL/)
    const known = await judge(makeLists())
    assert.equal(known.faults, '')
    assert.match(known.said, /Revocations are known up to 20/)
    assert.doesNotMatch(known.said, /not known/)
    const revoked = await judge(makeLists({ at: earlier, reason: 'keyCompromise' }))
    assert.match(revoked.faults, /^The time stamp of seal 1, kept on .*was revoked on .*key compromised/)
  })

  test('is looked for in the file of the settings, which must be one', () => {
    const settings = {
      FORDRA_TSA_URL: authority.url,
      FORDRA_TSA_CA: authority.root,
      FORDRA_TSA_CRL: authority.listRevoked(),
      FORDRA_TSA_MINUTES: 60,
    }
    assert.equal(readStampRules(settings).lists!.length, 1)
    const anchor = new Anchor('/nonexistent', undefined)
    assert.ok(openTimeStamper(anchor, settings))
    writeFileSync(settings.FORDRA_TSA_CRL, 'broken')
    assert.throws(
      () => openTimeStamper(anchor, settings),
      /FORDRA_TSA_CRL: .*no revocation list in PEM or DER/,
    )
    assert.throws(
      () => readStampRules({ ...settings, FORDRA_TSA_CRL: '/nonexistent.crl' }),
      /FORDRA_TSA_CRL: .*ENOENT.*Give the revocation lists/,
    )
  })
})
