/** The import wizard in the console. `tasks/` counts its actions and key presses. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runJobs } from '../../server/testing/jobs.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'
import { portfolio } from './tasks/portfolio.ts'

const login = 'chef@agency.example'

describe('the import wizard', { skip }, () => {
  let tested: ConsoleTest
  let runner: Awaited<ReturnType<typeof runJobs>>
  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 2 })
    runner = await runJobs(tested.api)
  })
  after(async () => {
    await runner?.stop()
    await tested?.close()
  })

  const countDebtors = async (prefix: string) => {
    const [row] = await tested.api.sql<{ count: number }[]>`
      select count(*)::int as count from debtor where source_reference like ${`import/${prefix}%`}`
    return row!.count
  }

  test('imports 1,000 rows with mapping', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
    assert.deepEqual(await bothSchemes(page, 'file chosen'), [])
    await page.locator('input[type=file]').setInputFiles(portfolio('m'))
    await page.getByRole('region', { name: 'kunder.csv', exact: true }).waitFor()
    assert.equal(
      await page.getByRole('combobox', { name: 'Encoding' }).inputValue(),
      'Windows-1252 (ISO-8859-1)',
    )
    assert.equal(await page.getByRole('combobox', { name: 'Field for Postort' }).inputValue(), 'City')
    const column = page.getByRole('combobox', { name: 'Field for Skapad' })
    await column.click()
    await page.getByRole('option', { name: 'Place of birth' }).click()
    assert.deepEqual(await bothSchemes(page, 'columns'), [])
    await page.getByRole('button', { name: 'Check the file' }).click()
    const checked = page.getByRole('region', { name: 'What the import will do' })
    await checked.getByText('980').waitFor()
    await checked.getByRole('row', { name: /^2 Postal code/ }).waitFor()
    assert.equal(await countDebtors('m'), 0)
    assert.deepEqual(await bothSchemes(page, 'checked'), [])
    await page.getByRole('button', { name: 'Import 980 rows' }).click()
    await page.getByText('The file is imported').waitFor()
    assert.equal(await countDebtors('m'), 980)
    assert.deepEqual(await bothSchemes(page, 'imported'), [])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Rejected rows' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'kunder-rejected.csv')
    const rejected = readFileSync(await download.path(), 'utf8')
    assert.match(rejected, /;rejectedLine;rejectedReason\r\nm0;Sjöberg0;Storgatan 0;nej;Malmö;SE;/)
    const [born] = await tested.api
      .sql`select place_of_birth as place from debtor where lastname = 'Sjöberg7'`
    assert.equal(born!['place'], 'Stockholm')
    await close()
  })

  test('reads another encoding and separator when told, and takes a dropped file', async () => {
    const { page, close } = await tested.open('/import', { login, width: 360, height: 740 })
    const text = 'Efternamn;Ort,Land\nEk;Malmö,SE\n'
    const data = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], 'släpp.csv', { type: 'text/csv' }))
      return transfer
    }, text)
    await page.getByText('or drop it here').dispatchEvent('drop', { dataTransfer: data })
    await page.getByRole('region', { name: 'släpp.csv', exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Separator' }).click()
    await page.getByRole('option', { name: 'Comma ,' }).click()
    await page.getByRole('combobox', { name: 'Field for Efternamn;Ort' }).waitFor()
    await page.getByText('The file has no column for this yet').waitFor()
    assert.deepEqual(await findViolations(page, 'columns on a telephone'), [])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    assert.equal(wide, false)
    await close()
  })

  test('names the claims of a file that are time-barred, before and after the import', async () => {
    const { api } = tested
    await api.addParty('KRAFT')
    await api.setDate('2026-06-15')
    const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
    await api.sql`update debtor set debtor_reference = 'BARRED' where id = ${made.body.debtorGuid}`
    const { page, close } = await tested.open('/import', { login })
    const rows = ['OLD;KRAFT;BARRED;100;SEK;2020-01-10', 'NEW;KRAFT;BARRED;100;SEK;2026-05-01']
    const heading = 'sourceReference;partyReferenceCode;debtorReference;principal;currencyCode;dueDate'
    await page.locator('input[type=file]').setInputFiles({
      name: 'cases.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([heading, ...rows].join('\n')),
    })
    await page.getByRole('button', { name: 'Check the file' }).click()
    const checked = page.getByRole('region', { name: 'What the import will do' })
    await checked.getByRole('row', { name: /^2 OLD/ }).waitFor()
    assert.deepEqual(await bothSchemes(page, 'barred'), [])
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    const done = page.getByRole('region', { name: 'The file is imported' })
    await done.getByRole('row', { name: /^2 OLD/ }).waitFor()
    assert.equal(await done.getByRole('row', { name: /NEW/ }).count(), 0)
    await close()
  })

  test('takes the country of the settings for addresses without one, and another one that is chosen', async () => {
    const { page, close } = await tested.open('/import', { login })
    await page.locator('input[type=file]').setInputFiles({
      name: 'naboer.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('sourceReference;lastname;zipCode;city\nOSLO;Berg;0150;Oslo\n'),
    })
    const country = page.getByRole('combobox', { name: 'Country of addresses' })
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value.startsWith('Sweden')),
    )
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('row', { name: /^2 Postal code/ }).waitFor()
    await country.fill('Norway')
    await page.getByRole('option', { name: /Norway/ }).click()
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('The file is imported').waitFor()
    const [made] = await tested.api
      .sql`select country_code from debtor where source_reference = 'import/OSLO'`
    assert.equal(made!['country_code'], 'NO')
    await close()
  })

  test('takes one client for all rows of cases whose file names none', async () => {
    const { api } = tested
    await api.addParty('ALLAS')
    const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Alm' } })
    await api.sql`update debtor set debtor_reference = 'ALM' where id = ${made.body.debtorGuid}`
    const { page, close } = await tested.open('/import', { login })
    const rows = ['ALL1;ALM;100;SEK', 'ALL2;ALM;200;SEK', 'ALL3;ALM;12,5O;SEK']
    await page.locator('input[type=file]').setInputFiles({
      name: 'fall.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['sourceReference;debtorReference;principal;currencyCode', ...rows].join('\n')),
    })
    await page.getByText('Or choose the client for all rows above.').waitFor()
    await page.getByRole('combobox', { name: 'Client for all rows' }).fill('ALLAS')
    await page.getByRole('option', { name: /ALLAS/ }).click()
    await page.getByText('The file has no column for this yet').waitFor({ state: 'detached' })
    assert.deepEqual(await bothSchemes(page, 'client for all rows'), [])
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('row', { name: /^4 Principal “12,5O” is not an amount/ }).waitFor()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('The file is imported').waitFor()
    const cases = await api.sql<{ code: string }[]>`
      select p.reference_code as code from debt_case c join party p on p.id = c.client_id
      where c.source_reference like 'import/ALL%'`
    assert.deepEqual(
      cases.map(({ code }) => code),
      ['ALLAS', 'ALLAS'],
    )
    await close()
  })

  test('gives users without a party the one that is chosen, and says in Swedish why a row is rejected', async () => {
    const { api } = tested
    await api.addParty('FIRMAN')
    const { page, close } = await tested.open('/import', { login })
    const give = (name: string, rows: string[]) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
    await give('users.csv', ['E-mail;Full name;Role', 'ek@rows.example;Bo Ek;9', 'al@rows.example;;9'])
    await page.getByText('Or choose the party for all rows above.').waitFor()
    await page.getByRole('combobox', { name: 'Party for all rows' }).fill('FIRMAN')
    await page.getByRole('option', { name: /FIRMAN/ }).click()
    await page.getByText('The file has no column for this yet').waitFor({ state: 'detached' })
    assert.deepEqual(await findViolations(page, 'party for all rows'), [])
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('row', { name: '3 Full name Enter a value.' }).waitFor()
    await page.getByRole('button', { name: 'Import 1 row', exact: true }).click()
    await page.getByText('The file is imported').waitFor()
    const [user] = await api.sql<{ code: string }[]>`
      select p.reference_code as code from app_user u join party p on p.id = u.party_id
      where u.email = 'ek@rows.example'`
    assert.equal(user!.code, 'FIRMAN')

    await api.sql`update app_user set language_code = 'sv' where email = ${login}`
    await page.reload()
    await give('cases.csv', [
      'sourceReference;partyReferenceCode;debtorReference;principal;currencyCode',
      'S1;FIRMAN;NOBODY;100;SEK',
    ])
    await page.getByRole('button', { name: 'Kontrollera filen' }).click()
    await page.getByRole('cell', { name: 'Det finns ingen sådan gäldenär.' }).waitFor()
    await api.sql`update app_user set language_code = null where email = ${login}`
    await close()
  })

  test('says why a file cannot be read, and gives templates', async () => {
    const { page, close } = await tested.open('/import', { login })
    const pdf = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('%PDF-1.7') }
    await page.locator('input[type=file]').setInputFiles(pdf)
    await page.getByText(/is a PDF document/).waitFor()
    const bankFile = '01BGMAX               0120040525173035010331P\r\n20\0\r\n'
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bg.txt', mimeType: 'text/plain', buffer: Buffer.from(bankFile) })
    await page.getByText('The file cannot be read: line 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Another file' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel template' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'Debtors.xlsx')
    await page.locator('input[type=file]').setInputFiles(await download.path())
    await page.getByRole('combobox', { name: 'Field for Last name' }).waitFor()
    await close()
  })
})

/** What axe finds in light and dark colours. */
async function bothSchemes(page: Page, about: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await findViolations(page, `${about}, ${colorScheme}`)))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
