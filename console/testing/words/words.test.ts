/** Every screen speaks the reader's words: no code of a rule, no member's name, no code of a lookup, no word of programmers. Skipped without a browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lawPacks } from '../../../core/law/packs.ts'
import { runJobs, waitForJob } from '../../../server/testing/jobs.ts'
import { skip, startConsole, visitScreen, type ConsoleTest } from '../browser.ts'
import { walkScreens } from '../screens/all-screens.ts'
import { administrator as login, businessDate, makeReference, type Reference } from '../screens/reference.ts'

/** Each has a text by its name: the code of the lookup and its own. */
const texts = JSON.parse(readFileSync('data/texts/en.json', 'utf8')) as { lookup: object }
const lookupCodes = Object.keys(texts.lookup).map((name) => name.split('.')[1]!)
const ruleCodes = lawPacks.flatMap(({ rules }) => rules.map(({ code }) => code))

describe('the words on the screens', { skip }, () => {
  let tested: ConsoleTest
  let at: Reference

  before(async () => {
    tested = await startConsole()
    at = await makeReference(tested.api)
    await addLaw(tested, at)
  })
  after(() => tested?.close())

  test('no code of a rule or a lookup and no member’s name is on a screen', async () => {
    const found = await walkScreens(tested, at, { login }, async (page, path, heading) => {
      await visitScreen(page, path, heading)
      return (await findCodes(page)).map((code) => `${path}: ${code}`)
    })
    assert.deepEqual(found.toSorted().join('\n'), '')
  })

  test('a rule has its name in the language of the reader', async () => {
    const { page, close } = await tested.open('/law-findings', { login })
    await page.getByText('Highest reminder fee').first().waitFor()
    await page.goto(`/cases/${at.caseGuid}`)
    await page.getByText(/^Claims demanded together: /).waitFor()
    await page.getByText(/^Limitation of consumer claims: |^Limitation of claims in general: /).waitFor()
    await close()
  })

  test('the name of a rule is awaited: its code does not show meanwhile', async () => {
    const { page, close } = await tested.open('/', { login })
    const later = Promise.withResolvers<void>()
    let files = 0
    await page.route(/\/assets\/en-/, async (route) => {
      files += 1
      if (files > 1) await later.promise
      await route.continue()
    })
    await page.goto('/audit')
    await page.getByRole('row').nth(5).waitFor()
    assert.deepEqual(await findCodes(page), [])
    assert.equal(await page.getByText('Highest fee of a demand').count(), 0)
    later.resolve()
    await page.getByText('Highest fee of a demand').waitFor()
    assert.equal(files, 2)
    await close()
  })
})

/** What the law has to say: a case demanded with another, and a fee above the ceiling. */
async function addLaw({ api }: ConsoleTest, { debtorGuid, clientGuid }: Reference): Promise<void> {
  const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const answer = await api.call<Record<string, string>>(method, path, { body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const register = (claim: object) =>
    send('POST', '/system/forms/case/register', {
      clientGuid,
      principal: 1000,
      dueDate: '2026-01-31',
      ...claim,
    })
  const swedish = await register({ debtorGuid, currencyCode: 'SEK' })
  const demand = { feeType: 'collectionDemand', amount: 180, valueDate: businessDate }
  await send('POST', `/system/forms/fee/add?id=${swedish['caseGuid']}`, demand)
  const other = await send('POST', '/debtors', { lastname: 'Nordmann' })
  // No law applies before it is chosen.
  const foreign = await api.addParty('FJORD')
  const { caseGuid } = await register({
    clientGuid: foreign,
    debtorGuid: other['debtorGuid'],
    currencyCode: 'NOK',
  })
  const fee = { feeType: 'reminder', amount: 500, valueDate: businessDate }
  await send('POST', `/system/forms/fee/add?id=${caseGuid}`, fee)
  await send('PATCH', `/system/forms/case/law?id=${caseGuid}`, { governingCountry: 'NO' })
  const runner = await runJobs(api)
  const { jobId } = await send('POST', '/system/commands/law-review', {})
  await waitForJob(api, jobId!)
  await runner.stop()
}

/** Codes in the texts that are seen, outside of what shows code on purpose. */
async function findCodes(page: Page): Promise<string[]> {
  return page.evaluate(
    ([rules, lookups]) => {
      const patterns = [
        /\b[a-z]+[A-Z][A-Za-z]*\b/g,
        /\b[A-Z]{2,}(?:_[A-Z]+)+\b/g,
        /\b[A-Z]{2}(?:-[A-Z]+)+\b/g,
        // Words of programmers.
        /\b(?:GUID|UUID|ID|Id|JSON|cron)\b/g,
      ]
      const found = new Set<string>()
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const { parentElement: parent } = node
        if (!parent?.checkVisibility() || parent.closest('script, style, code, pre, .code')) continue
        const text = node.textContent!.trim()
        if (/^[A-Z][A-Z_]{2,}$/.test(text) && lookups.includes(text)) found.add(text)
        for (const pattern of patterns)
          for (const [code] of node.textContent!.matchAll(pattern)) found.add(code)
      }
      return [...found].filter((code) => !code.includes('-') || rules.includes(code))
    },
    [ruleCodes, lookupCodes] as const,
  )
}
