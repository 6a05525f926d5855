import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type UserRole, allUserRoles } from '../../../contract/access/access.ts'
import { languages } from '../../../contract/platform/languages.ts'
import type { NavigationSection } from '../../../contract/metadata/navigation.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { sections } from './navigation.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const read = async (token = api.token) =>
  (await api.call<{ sections: NavigationSection[] }>('GET', '/system/navigation', { token })).body.sections
const shownCodes = (shown: NavigationSection[]) =>
  shown.flatMap(({ subSections }) => subSections.map(({ subSectionCode }) => subSectionCode))

test('S6 shows an administrator everything that there is', async () => {
  const there = sections.flatMap(({ places }) => places.map(({ code }) => code))
  assert.ok(there.length >= 40)
  assert.deepEqual(shownCodes(await read()), there)
})

test('S6 shows what each role may open, and sections by what they hold', async () => {
  const shownTo = async (role: UserRole) => shownCodes(await read(await api.signIn(role)))
  for (const role of allUserRoles) {
    const shown = await shownTo(role)
    assert.ok(shown.includes('debtors-list'), `role ${role}`)
    assert.equal(shown.includes('debtors-create'), [1, 2, 3].includes(role), `role ${role}`)
    assert.equal(shown.includes('users-list'), [1, 2, 6, 11].includes(role), `role ${role}`)
    assert.equal(shown.includes('settings-outbox'), [1, 2].includes(role), `role ${role}`)
  }
  const ofCreditor = await read(await api.signIn(9))
  assert.ok(!ofCreditor.some(({ sectionCode }) => sectionCode === 'users'))
  const settings = ofCreditor.find(({ sectionCode }) => sectionCode === 'settings')!
  assert.deepEqual(shownCodes([settings]), ['settings-rates'])
  assert.deepEqual([settings.hasPage, settings.url], [false, '/rates'])
  assert.ok(!shownCodes(ofCreditor).includes('payments-payouts'), 'payouts are lists of the agency')
  const ofAdministrator = (await read()).find(({ sectionCode }) => sectionCode === 'settings')!
  assert.deepEqual([ofAdministrator.hasPage, ofAdministrator.url], [true, '/settings'])
})

test('S6 what it shows can be opened', async () => {
  const addresses: Record<string, string> = {
    'debtors-list': '/debtors',
    'users-list': '/users',
    'audit-list': '/audit',
    'settings-outbox': '/system/outbox',
  }
  for (const role of [2, 3, 6, 9, 14] as const) {
    const token = await api.signIn(role)
    const shown = shownCodes(await read(token))
    for (const [code, path] of Object.entries(addresses)) {
      const { status } = await api.call('GET', path, { token })
      if (shown.includes(code)) assert.equal(status, 200, `${code} for role ${role}`)
    }
  }
})

test('S6 speaks the caller’s language', async () => {
  const labels = new Set<string>()
  for (const languageCode of languages) {
    const token = await api.signIn(3)
    await api.call('PATCH', '/users/current', { body: { languageCode }, token })
    const shown = await read(token)
    for (const { label, description, subSections } of shown) {
      assert.ok(label !== '' && description !== '' && subSections.length > 0)
      assert.ok(subSections.every((one) => one.label !== '' && one.description !== ''))
    }
    labels.add(shown.find(({ sectionCode }) => sectionCode === 'clients' || sectionCode === 'debtors')!.label)
  }
  assert.ok(labels.size >= 5, 'Norwegian and Danish debtors are the same word')
})

test('S6 groups the sections, and no two have the same icon', async () => {
  const shown = await read()
  const groups = shown.map(({ groupCode }) => groupCode)
  const changes = groups.filter((group, at) => group !== groups[at - 1])
  assert.deepEqual(changes, ['work', 'money', 'clients', 'setup', 'monitoring'])
  assert.equal(new Set(shown.map(({ groupLabel }) => groupLabel)).size, changes.length)
  const icons = shown.map(({ icon }) => icon)
  assert.deepEqual(
    icons.filter((icon, at) => icons.indexOf(icon) !== at),
    [],
  )
})

test('codes are used once and addresses are paths', async () => {
  const codes = [...sections, ...sections.flatMap(({ places }) => places)].map(({ code }) => code)
  assert.equal(new Set(codes).size, codes.length)
  for (const { url, places } of sections) {
    for (const path of [url, ...places.map((place) => place.url)]) assert.match(path, /^(\/[a-z-]+)+$/)
  }
  for (const section of await read()) {
    assert.ok(
      section.subSections.some(({ url }) => url === section.url),
      section.sectionCode,
    )
  }
})
