/** Files on notes, calls, cases and debtors in the console. Skipped without a browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'handler@agency.example'
const pdf = { name: 'Avtal Åsa.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') }
const program = { name: 'run.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') }
const disguised = { ...pdf, name: 'really.pdf', buffer: Buffer.from('MZ, but named as a PDF') }

/** Drops a file as from the desktop. */
const drop = (page: Page, place: string, { name, mimeType, buffer }: typeof pdf) =>
  page.locator(place).evaluate(
    (zone, given) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([given.text], given.name, { type: given.mimeType }))
      zone.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    },
    { name, mimeType, text: buffer.toString() },
  )

describe('attached files', { skip }, () => {
  let tested: ConsoleTest
  let [caseGuid, debtorGuid] = ['', '']
  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password })
    const clientGuid = await api.addParty('KRAFT')
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
    debtorGuid = debtor.body.debtorGuid
    const body = { clientGuid, debtorGuid, principal: 1200, currencyCode: 'SEK' }
    const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body })
    caseGuid = made.body.caseGuid
  })
  after(() => tested?.close())

  test('a file that is dropped on a note is sent while it is written, and stays with it', async () => {
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await page.getByRole('button', { name: 'New note' }).click()
    const dialog = page.getByRole('dialog', { name: 'New note' })
    await dialog.getByLabel('Text').fill('The contract came.')
    await drop(page, '[role=dialog] .attach-zone', pdf)
    await drop(page, '[role=dialog] .attach-zone', program)
    await dialog.getByText(/Files of this type cannot be attached/).waitFor()
    await dialog.locator('input[type=file]').setInputFiles(disguised)
    await dialog.getByText(/named .pdf, but its content is .txt/).waitFor()
    assert.deepEqual(await findViolations(page, 'a note with files'), [])
    for (const { name } of [program, disguised])
      await dialog.getByRole('button', { name: `Remove ${name}` }).click()
    await dialog.locator('button[type=submit]').click()
    await dialog.waitFor({ state: 'detached' })
    const panel = page.getByRole('region', { name: 'Files', exact: true })
    await panel.getByText(/with a note/).waitFor()
    const link = panel.getByRole('button', { name: `Download ${pdf.name}` })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.equal(download.suggestedFilename(), pdf.name)
    assert.deepEqual(readFileSync(await download.path()), pdf.buffer)
    assert.deepEqual(await findViolations(page, 'a case with files'), [])
    await close()
  })

  test('a file of a call is kept with the call, and one that was refused is named', async () => {
    const { page, close } = await tested.open(`/debtors/${debtorGuid}`, { login })
    await page.getByRole('button', { name: 'Log a call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Log a call' })
    await dialog.locator('input[type=file]').setInputFiles([{ ...pdf, name: 'call.pdf' }, program])
    await dialog.getByText(/Files of this type cannot be attached/).waitFor()
    await dialog.locator('button[type=submit]').click()
    await page.getByText('Saved, but not attached: run.exe').waitFor()
    const panel = page.getByRole('region', { name: 'Files', exact: true })
    await panel.getByText(/with a call/).waitFor()
    await close()
  })

  test('files are attached to a debtor on a telephone, shown to the client and deleted', async () => {
    const { page, close } = await tested.open(`/debtors/${debtorGuid}`, { login, width: 390, height: 844 })
    const panel = page.getByRole('region', { name: 'Files', exact: true })
    await panel.locator('input[type=file]').setInputFiles({ ...pdf, name: 'passport.pdf' })
    const show = panel.getByRole('button', { name: 'Show passport.pdf to the client' })
    await show.click()
    await panel.getByText(/The client sees it/).waitFor()
    assert.equal(await show.getAttribute('aria-pressed'), 'true')
    assert.deepEqual(await findViolations(page, 'a debtor on a telephone'), [])
    await panel.getByRole('button', { name: 'Delete passport.pdf' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await panel.getByRole('button', { name: 'Download passport.pdf' }).waitFor({ state: 'detached' })
    await close()
  })
})
