/** What a case handler does all day. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { password, signIn, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'handlaggare@agency.example'

describe('a case handler', { skip }, () => {
  let tested: ConsoleTest

  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 3 })
    for (const [lastname, city] of [
      ['Berg', 'Malmö'],
      ['Bergman', 'Lund'],
      ['Dahl', 'Malmö'],
      ['=Formel', 'Ystad'],
    ] as const) {
      await tested.api.call('POST', '/debtors', {
        body: {
          lastname,
          firstname: 'Test',
          city,
          street: 'Storgatan',
          zipCode: '211 42',
          countryCode: 'SE',
        },
      })
    }
  })
  after(() => tested?.close())

  const makeDebtor = async (lastname: string) => {
    const made = await tested.api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname } })
    return made.body.debtorGuid
  }

  test('registers a debtor, with what is wrong said at its field', async () => {
    const { page, close } = await tested.open('/debtors/new', { login })
    await page.getByLabel('Identity or company number').fill('19900101-2380')
    await page.getByLabel('Last name').fill('Lindqvist')
    await page.getByRole('combobox', { name: 'Country' }).click()
    await page.getByRole('combobox', { name: 'Country' }).fill('Swed')
    await page.getByRole('option', { name: /^Sweden/ }).click()
    await page.getByLabel('City').fill('Malmö')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('[name=idNumber][aria-invalid=true]:focus').waitFor()
    await page.getByLabel('Identity or company number').fill('19900101-2385')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lindqvist' }).waitFor()
    await page.getByText('1 Jan 1990').first().waitFor()
    await close()
  })

  test('finds a debtor and goes there by the keyboard alone', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/Name, reference/).waitFor()
    await page.keyboard.type('bergm')
    await page.getByRole('dialog').getByText('Test Bergman').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Test Bergman' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.getByRole('heading', { level: 1, name: 'Debtors' }).waitFor()
    await close()
  })

  test('narrows, sorts, keeps and exports a list', async () => {
    const { page, close } = await tested.open('/debtors', { login })
    const rows = page.locator('tbody tr:not([data-skeleton])')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByRole('combobox', { name: 'Field' }).click()
    await page.getByRole('combobox', { name: 'Field' }).fill('City')
    await page.getByRole('option', { name: 'City' }).click()
    await page.getByRole('textbox', { name: 'Value' }).fill("Y'st")
    assert.equal(await page.getByText(/contains\(city/).count(), 0)
    await page.getByRole('button', { name: 'Write the filter as text' }).click()
    const asText = page.getByRole('textbox', { name: /^Filter as text/ })
    assert.equal(await asText.inputValue(), "contains(city,'Y''st')")
    await page.getByRole('textbox', { name: 'Value' }).fill('Yst')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
    assert.match(decodeURIComponent(page.url()), /filter=contains\(city,'Yst'\)/)
    await page.getByRole('button', { name: 'Debtor reference' }).click()
    await page.waitForURL(/sort=debtorReference/)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Save this view as').fill('Ystad')
    await page.getByRole('dialog', { name: 'Views' }).getByRole('button', { name: 'Save' }).click()
    const save = async (format: string) => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: format }).click()
      return readFile(await (await download).path())
    }
    const text = (await save('CSV')).toString('utf8')
    assert.match(text, /^\uFEFFFull name,Debtor reference,/)
    assert.match(text, /\r\nTest =Formel,/)
    const workbook = await save('Excel')
    // The tests of the core and of the import read what is in it.
    assert.deepEqual(workbook.subarray(0, 4), Buffer.from('PK\x03\x04'))
    await page.goto('/debtors')
    await rows.nth(2).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Ystad', exact: true }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await close()
  })

  test('keeps addresses, extra fields and favorites of a debtor', async () => {
    const debtorGuid = await makeDebtor('Adresson')
    const { page, close } = await tested.open(`/debtors/${debtorGuid}`, { login })
    await page.getByRole('button', { name: 'New address' }).click()
    await page.getByRole('textbox', { name: 'Street' }).fill('Kungsgatan')
    await page.getByRole('textbox', { name: 'City' }).fill('Lund')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Kungsgatan' })
      .getByText('Legal address', { exact: true })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'New extra field' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('yrke')
    await page.getByRole('textbox', { name: 'Values' }).fill('bagare\nkock')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Delete yrke' }).waitFor()
    const fields = await tested.api.call<{ value: { value: string[] }[] }>(
      'GET',
      `/debtors/${debtorGuid}/extrafields`,
    )
    assert.deepEqual(fields.body.value[0]!.value, ['bagare', 'kock'])
    await page.getByRole('button', { name: 'Delete yrke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No extra fields yet.').waitFor()
    await page.getByRole('button', { name: 'Add to favorites' }).click()
    await page.getByRole('button', { name: 'Remove from favorites' }).waitFor()
    await page.getByRole('link', { name: 'My work today' }).click()
    await page.getByRole('region', { name: 'Favorites' }).getByRole('link', { name: 'Adresson' }).click()
    await page.getByRole('heading', { level: 1, name: 'Adresson' }).waitFor()
    await close()
  })

  test('sees what somebody else changed meanwhile, and chooses', async () => {
    const debtorGuid = await makeDebtor('Samtidig')
    const { page, close } = await tested.open(`/debtors/${debtorGuid}/edit`, { login })
    await page.getByLabel('E-mail', { exact: true }).fill('min@example.com')
    await page.getByLabel('Home phone').fill('040123456')
    await tested.api.call('PATCH', `/debtors/${debtorGuid}`, {
      body: { email: 'deras@example.com', domicile: 'Lund' },
    })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Changed by somebody else' })
    await dialog.getByText('deras@example.com').waitFor()
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Samtidig' }).waitFor()
    const { body } = await tested.api.call<Record<string, string>>('GET', `/debtors/${debtorGuid}`)
    assert.deepEqual(
      [body['email'], body['domicile'], body['homePhone']],
      ['min@example.com', 'Lund', '+4640123456'],
    )
    await close()
  })

  test('is asked before typed text is left behind', async () => {
    const { page, close } = await tested.open('/debtors/new', { login })
    await page.getByLabel('Last name').fill('Halvfärdig')
    await page.getByRole('link', { name: 'Worklist' }).click()
    await page.getByRole('button', { name: 'Stay' }).click()
    assert.equal(await page.getByLabel('Last name').inputValue(), 'Halvfärdig')
    await page.getByRole('link', { name: 'Worklist' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { name: 'Worklist' }).waitFor()
    await close()
  })

  test('signs in again in the middle of work and finds the text still there', async () => {
    const { page, context, close } = await tested.open('/debtors/new', { login })
    await page.getByLabel('Last name').fill('Kvarvarande')
    await context.clearCookies()
    const dialog = page.getByRole('dialog', { name: /session has ended/ })
    // Another request may have met the end of the session first: then the dialog covers the button.
    await page
      .getByRole('button', { name: 'Create' })
      .click({ timeout: 2000 })
      .catch(() => dialog.waitFor())
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await page.getByLabel('Last name').inputValue(), 'Kvarvarande')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Kvarvarande' }).waitFor()
    await close()
  })

  test('keeps what somebody else changed while the session had ended', async () => {
    const debtorGuid = await makeDebtor('Avbruten')
    const { page, context, close } = await tested.open(`/debtors/${debtorGuid}/edit`, { login })
    await page.getByLabel('Place of birth').fill('Lund')
    await tested.api.call('PATCH', `/debtors/${debtorGuid}`, { body: { email: 'deras@example.com' } })
    await context.clearCookies()
    const dialog = page.getByRole('dialog', { name: /session has ended/ })
    await page
      .getByRole('button', { name: 'Save' })
      .click({ timeout: 2000 })
      .catch(() => dialog.waitFor())
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    // Long enough for what is read anew after signing in.
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save both changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Avbruten' }).waitFor()
    const { body } = await tested.api.call<Record<string, string>>('GET', `/debtors/${debtorGuid}`)
    assert.deepEqual([body['email'], body['placeOfBirth']], ['deras@example.com', 'Lund'])
    await close()
  })

  test('is told that the service is away, and loses nothing', async () => {
    const { page, setOffline, close } = await tested.open('/debtors/new', { login })
    await page.getByLabel('Last name').fill('Uthållig')
    await setOffline(true)
    await page.getByRole('button', { name: 'Create' }).click()
    // At the form, and over the page until it is back.
    const said = page.getByText('The service does not answer')
    await said.nth(1).waitFor()
    await setOffline(false)
    await said.nth(1).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Uthållig' }).waitFor()
    await close()
  })

  test('of a creditor sees only what is theirs', async () => {
    const party = await tested.api.addParty('KREDITOR')
    const email = 'kreditor@agency.example'
    await tested.api.call('POST', '/users', {
      body: { partyReferenceCode: 'KREDITOR', email, password, fullName: 'Kreditor', userRole: 9 },
    })
    assert.ok(party)
    const { page, close } = await tested.open('/', { login: email })
    await page.getByRole('heading', { name: 'Worklist' }).waitFor()
    const menu = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link')
    await menu.first().waitFor()
    const links = await menu.allInnerTexts()
    assert.deepEqual(links, [
      'Worklist',
      'Dashboard',
      'Debtors',
      'Cases',
      'Objections',
      'Payments',
      'Payment plans',
      'Promises to pay',
      'Reports',
      'Clients',
      'Client records',
      'Rates and fees',
      'Audit trail',
      'Events',
      'System information',
    ])
    await page.getByRole('link', { name: 'Debtors' }).first().click()
    await page.getByText('No debtors yet.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'New debtor' }).count(), 0)
    await page.goto('/users')
    await page.getByText('You may not do this').waitFor()
    await close()
  })

  test('works in their own language and keeps it', async () => {
    const { page, close } = await tested.open('/profile', { login })
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Svenska' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Profil och säkerhet' }).waitFor()
    await page.goto('/debtors')
    await page.getByRole('heading', { level: 1, name: 'Gäldenärer' }).waitFor()
    assert.equal(await page.getAttribute('html', 'lang'), 'sv')
    await tested.api.sql`update app_user set language_code = null where email = ${login}`
    await close()
  })
})

describe('signing in', { skip }, () => {
  test('refuses a wrong password, and ends with signing out', async () => {
    const tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 2 })
    const { page, close } = await tested.open('/')
    await page.getByLabel('E-mail or user code').fill(login)
    await page.getByLabel('Password', { exact: true }).fill('fel')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Login or password is wrong').waitFor()
    await signIn(page, login)
    await page.getByRole('button', { name: /^Menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await close()
    await tested.close()
  })
})
