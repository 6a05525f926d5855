import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SystemInformation } from '../../../contract/metadata/system.ts'
import { startApi } from '../../testing/api.ts'
import { version } from '../../platform/version.ts'

test('S10 names the agency as its record does where no setting does', async () => {
  const api = await startApi()
  try {
    const read = async () => (await api.call<SystemInformation>('GET', '/system/information')).body.licensedTo
    assert.equal(await read(), 'Agency')
    await api.sql`update party set name = 'Skåne Inkasso AB' where parent_id is null`
    assert.equal(await read(), 'Skåne Inkasso AB')
  } finally {
    await api.close()
  }
})

test('S10 gives the build, the installation and the business date', async () => {
  const api = await startApi({
    FORDRA_COMPANY: 'Skåne Inkasso AB',
    FORDRA_CUSTOMER_NO: '4711',
    FORDRA_VALID_UNTIL_COLLECT: '2027-12-31',
    FORDRA_TIME_ZONE: 'Europe/Helsinki',
  })
  try {
    await api.setDate('2026-07-01')
    const { status, body } = await api.call<SystemInformation>('GET', '/system/information')
    assert.equal(status, 200)
    assert.equal(body.version, version)
    assert.equal(body.licensedTo, 'Skåne Inkasso AB')
    assert.equal(body.customerNo, '4711')
    assert.equal(body.validUntilCollect, '2027-12-31T00:00:00Z')
    assert.equal(body.validUntilEdge, null)
    assert.equal(body.systemTimeZoneCode, 'Europe/Helsinki')
    assert.equal(body.systemTimeZone, 180, 'summer time')
    assert.equal(body.systemDate, '2026-07-01T00:00:00Z')
    await api.setDate('2026-12-01')
    const winter = await api.call<SystemInformation>('GET', '/system/information')
    assert.equal(winter.body.systemTimeZone, 120)
    assert.equal((await api.call('GET', '/system/information', { token: null })).status, 401)
  } finally {
    await api.close()
  }
})
