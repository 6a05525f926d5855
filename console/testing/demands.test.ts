/** Claims that are demanded together, on the page of a case. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeDemands, type Demands } from '../../server/testing/records/demands.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'kraven@agency.example'
const creditor = 'borgenaren@client.example'

describe('claims demanded together in the console', { skip }, () => {
  let tested: ConsoleTest
  let made: Awaited<ReturnType<Demands['demandThree']>>

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 2 })
    made = await makeDemands(api).demandThree()
    const userGuid = await api.addUser({ email: creditor, password, userRole: 6 })
    await api.sql`update app_user set party_id = ${made.client} where id = ${userGuid}`
  })
  after(() => tested?.close())

  test('the case page links the other claims, and a person takes the case out', async () => {
    const { page, close } = await tested.open(`/cases/${made.cases[1]}`, { login })
    await page.getByRole('heading', { name: 'Demanded together' }).waitFor()
    await page.getByText('Has the letters and the fee').waitFor()
    await page.getByText(`Common payment reference: ${made.reference}`).waitFor()
    assert.deepEqual(await findViolations(page, 'demands'), [])
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Demand together or apart' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Demanded by itself').first().click()
    await dialog.getByLabel('Reason').fill('A court decides on this claim')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A person took this case out. It is demanded by itself.').waitFor()
    await close()
  })

  test('the creditor sees the group of its own cases', async () => {
    const { page, close } = await tested.open(`/cases/${made.cases[0]}`, { login: creditor })
    await page.getByRole('heading', { name: 'Demanded together' }).waitFor()
    await close()
  })
})
