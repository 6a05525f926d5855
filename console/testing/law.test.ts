/** What the law says of a case in the console: reviews, limitation and explanation. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs, waitForJob } from '../../server/testing/jobs.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'lagen@agency.example'

describe('the law in the console', { skip }, () => {
  let tested: ConsoleTest
  let caseGuid: string

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 2 })
    const clientGuid = await api.addParty('KRAFT')
    const post = async (path: string, body: object, method: 'POST' | 'PATCH' = 'POST') => {
      const answer = await api.call<Record<string, string>>(method, path, { body })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    await api.setDate('2026-03-02')
    const { debtorGuid } = await post('/debtors', { lastname: 'Nordmann' })
    const made = await post('/system/forms/case/register', {
      clientGuid,
      debtorGuid,
      principal: 1000,
      currencyCode: 'NOK',
      dueDate: '2026-03-02',
      interestRate: 10,
    })
    caseGuid = made['caseGuid']!
    await api.setDate('2026-06-15')
    await post(`/system/forms/fee/add?id=${caseGuid}`, {
      feeType: 'reminder',
      amount: 500,
      valueDate: '2026-06-01',
    })
    await post(`/system/forms/case/law?id=${caseGuid}`, { governingCountry: 'NO' }, 'PATCH')
    await post(
      `/system/forms/case/hold?id=${caseGuid}`,
      { reason: 'HOLD_HARDSHIP', holdFrom: '2026-05-01', holdUntil: '2026-06-30', interestPaused: true },
      'PATCH',
    )
    await post(`/system/forms/limitation/interrupt?id=${caseGuid}`, {
      interruption: 'ACKNOWLEDGEMENT',
      interruptedDate: '2026-06-10',
    })
    const runner = await runJobs(api)
    const { jobId } = await post('/system/commands/law-review', {})
    await waitForJob(api, jobId!)
    await runner.stop()
  })
  after(() => tested?.close())

  test('a correction above the limit of the role is requested from its question', async () => {
    const { api } = tested
    const limit = await api.call<{ approvalLimitGuid: string }>(
      'POST',
      '/system/forms/approvallimit/create',
      { body: { act: 'LAW_CORRECTION', userRole: 2, currencyCode: 'NOK', amount: 1 } },
    )
    assert.equal(limit.status, 201, limit.text)
    const { page, close } = await tested.open('/law-findings', { login })
    await page.getByText('Fee above the ceiling').first().waitFor()
    await page
      .getByRole('checkbox', { name: /^Select / })
      .last()
      .check()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('A second person is needed').waitFor()
    assert.deepEqual(await findViolations(page, 'the request'), [])
    await dialog.getByRole('button', { name: 'Request approval' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(new URL('/approvals', page.url()).href)
    await page.getByRole('cell', { name: 'Correction of a review by the law' }).waitFor()
    await close()
    const deleted = await api.call(
      'DELETE',
      `/system/forms/approvallimit/edit?id=${limit.body.approvalLimitGuid}`,
    )
    assert.equal(deleted.status, 200, deleted.text)
  })

  test('a finding is confirmed after a question, and its correction shown', async () => {
    const { page, close } = await tested.open('/law-findings', { login })
    await page.getByRole('heading', { level: 1, name: 'Legal review' }).waitFor()
    await page.getByText('Fee above the ceiling').first().waitFor()
    assert.deepEqual(await findViolations(page, 'law'), [])
    await page
      .getByRole('checkbox', { name: /^Select / })
      .last()
      .check()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByText(/Book the correction of 1 finding/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('1 correction booked, 0 refused.').waitFor()
    await page.getByRole('cell', { name: 'Confirmed', exact: true }).waitFor()
    await close()
  })

  test('the dialog of a status says which the law refuses, and by which rule', async () => {
    const { api } = tested
    const toCourt = await api.call('PATCH', `/system/forms/case/status?id=${caseGuid}`, {
      body: { status: 'AMICABLE' },
    })
    assert.equal(toCourt.status, 200, toCourt.text)
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await page.getByRole('button', { name: 'Change status' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change status' })
    const save = dialog.getByRole('button', { name: 'Save' })
    await dialog.getByRole('combobox', { name: 'Status', exact: true }).click()
    await page.getByRole('option', { name: 'Legal collection' }).click()
    await dialog
      .getByText(/Something must come first.*Legal action after the deadline of the demand/)
      .waitFor()
    assert.equal(await save.isDisabled(), true)
    assert.deepEqual(await findViolations(page, 'the status dialog'), [])
    await dialog.getByRole('combobox', { name: 'Status', exact: true }).click()
    await page.getByRole('option', { name: 'Surveillance' }).click()
    await dialog.getByText(/Legal action after the deadline of the demand/).waitFor({ state: 'detached' })
    assert.equal(await save.isEnabled(), true)
    await close()
  })

  test('a case shows its limitation clock, standstills and reversals, and the parts of a line', async () => {
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login, width: 390, height: 844 })
    await page.getByRole('heading', { name: 'Limitation' }).waitFor()
    await page.getByText(/3 years from/).waitFor()
    await page.getByText(/Runs anew until/).waitFor()
    await page.getByText('Interest paused from 1 May 2026 up to 30 Jun 2026.').waitFor()
    await page.getByText(/Fee \(Reminder.*reversed on 15 Jun 2026/).waitFor()
    assert.deepEqual(await findViolations(page, 'law'), [])
    await close()
  })

  test('the case page says beside the money what is disputed, until that is decided', async () => {
    const { api } = tested
    const clientGuid = await api.addParty('STROM')
    const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const answer = await api.call<Record<string, string>>(method, path, { body })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    const { debtorGuid } = await send('POST', '/debtors', { lastname: 'Ek' })
    const claim = { clientGuid, debtorGuid, principal: 1000, currencyCode: 'SEK' }
    const { caseGuid: disputed } = await send('POST', '/system/forms/case/register', claim)
    const objection = { matter: 'OBJECTION', reason: 'Half of it is broken.', amount: 400 }
    const made = await send('POST', `/system/forms/objection/create?id=${disputed!}`, objection)
    const { page, close } = await tested.open(`/cases/${disputed!}`, { login })
    await page.getByText(/Of this SEK\s?400\.00 is disputed|Of this 400\.00 SEK is disputed/).waitFor()
    const decision = { decision: 'REJECTED', decisionReason: 'It works.' }
    await send('PATCH', `/system/forms/objection/decide?id=${made['objectionGuid']!}`, decision)
    await page.reload()
    await page.getByRole('region', { name: 'Amounts' }).getByText('Remaining').first().waitFor()
    assert.equal(await page.getByText('is disputed').count(), 0)
    await close()
  })
})
