/** The form component on a definition. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
// Own process: vite sets NODE_ENV for its build.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { build, preview, type PreviewServer } from 'vite'
import { findViolations, releaseBrowser, skip, takeBrowser } from './browser.ts'

interface Seen {
  sentWithout: number
  submitted: Record<string, unknown>[]
  searched: string[]
  done: number
}

describe('a form', { skip }, () => {
  let folder: string
  let server: PreviewServer
  let page: Page

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fordra-form-'))
    const root = join(import.meta.dirname, '..')
    const shared = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'silent' as const }
    const output = {
      outDir: folder,
      rolldownOptions: { input: join(import.meta.dirname, 'form-harness.html') },
    }
    await build({ ...shared, build: output })
    server = await preview({ ...shared, build: output, preview: { port: 0, host: '127.0.0.1' } })
    const browser = await takeBrowser()
    page = await browser.newPage({ locale: 'en-GB' })
    page.setDefaultTimeout(10_000)
    await page.goto(new URL('testing/form-harness.html', server.resolvedUrls!.local[0]).href)
    await page.getByRole('form', { name: 'Claim' }).waitFor()
  })
  after(async () => {
    if (page) await releaseBrowser()
    await server?.close()
    if (folder) await rm(folder, { recursive: true })
  })

  const seen = () => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)

  test('is drawn from its definition, accessibly', async () => {
    assert.deepEqual(
      await page
        .getByRole('group')
        .allInnerTexts()
        .then((texts) => texts.map((text) => text.split('\n')[0])),
      ['Amounts', 'More'],
    )
    assert.equal(await page.getByLabel('Fee').inputValue(), '50')
    assert.equal(await page.getByRole('combobox', { name: 'Town' }).inputValue(), 'Malmö')
    assert.deepEqual(await findViolations(page, 'form'), [])
  })

  test('says at each field what it means, also to those who hear it', async () => {
    const readHelp = (label: string) =>
      page
        .getByLabel(label, { exact: true })
        .first()
        .evaluate((input) =>
          (input.getAttribute('aria-describedby') ?? '')
            .split(' ')
            .map((id) => document.getElementById(id)?.textContent)
            .join(),
        )
    assert.equal(await readHelp('Fee'), 'Costs from before.')
    assert.equal(await readHelp('Town'), 'Where it is.')
    assert.equal(await readHelp('Note'), 'For colleagues.')
    assert.equal(await readHelp('Paid'), 'Nothing remains.')
    assert.ok(await page.getByText('All together.').isVisible())
    // The label again says nothing more.
    assert.equal(await readHelp('Grade'), '')
  })

  test('says what is wrong and changes nothing that was typed', async () => {
    await page.getByLabel('Instalments').fill('1.5')
    await page.getByLabel('Note').fill('far too long a note')
    await page.getByLabel('Principal').fill('5000')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('Must be at most 1000.').waitFor()
    await page.getByText('Must be a whole number.').waitFor()
    await page.getByText('At most 10 characters; this has 19.').waitFor()
    assert.equal(await page.getByLabel('Principal').inputValue(), '5000')
    assert.deepEqual((await seen()).submitted, [])
  })

  test('recalculates while it is filled in', async () => {
    await page.getByLabel('Principal').fill('900.50')
    await page.getByText('950.50', { exact: true }).waitFor()
    await page.getByLabel('Fee').fill('0.5')
    await page.getByText('901.00', { exact: true }).waitFor()
  })

  test('calculates nothing from a number that cannot be read, and goes on saying so', async () => {
    const { sentWithout } = await seen()
    await page.getByLabel('Principal').fill('9oo.50')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('Must be a number.').waitFor()
    // What was calculated from the former number is gone.
    await page.getByText('901.00', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Must be a number.').count(), 1)
    assert.equal(await page.getByLabel('Principal').inputValue(), '9oo.50')
    assert.equal((await seen()).sentWithout, sentWithout)
    await page.getByLabel('Principal').fill('900.50')
    await page.getByText('901.00', { exact: true }).waitFor()
  })

  test('keeps what is typed, and its error, when a late recalculation answers', async () => {
    await page.evaluate('window.seen.holdsAnswer = true')
    await page.getByLabel('Fee').fill('1.5')
    await page.waitForFunction('window.seen.answer !== undefined')
    await page.getByLabel('Instalments').fill('many')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('Must be a number.').waitFor()
    await page.evaluate('window.seen.answer()')
    await page.getByText('902.00', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Instalments').inputValue(), 'many')
    assert.equal(await page.getByText('Must be a number.').count(), 1)
    await page.evaluate('window.seen.holdsAnswer = false')
    await page.getByLabel('Instalments').fill('')
    await page.getByLabel('Fee').fill('0.5')
    await page.getByText('901.00', { exact: true }).waitFor()
  })

  test('finds a value by typing', async () => {
    const town = page.getByRole('combobox', { name: 'Town' })
    await town.fill('yst')
    await page.getByRole('option', { name: 'Lund' }).waitFor({ state: 'hidden' })
    await page.getByRole('option', { name: 'Ystad' }).click()
    assert.equal(await town.inputValue(), 'Ystad')
    assert.ok((await seen()).searched.includes('yst'))
  })

  test('takes a code as it was typed only where the field need not match its lookup', async () => {
    const district = page.getByRole('combobox', { name: 'District' })
    await district.fill('0117')
    await page.getByRole('option', { name: '0117' }).click()
    await district.blur()
    assert.equal(await district.inputValue(), '0117')
    const town = page.getByRole('combobox', { name: 'Town' })
    await town.fill('0117')
    await page.getByRole('option', { name: 'Malmö' }).waitFor({ state: 'hidden' })
    assert.deepEqual(await page.getByRole('option').allInnerTexts(), ['Ystad'])
    await town.blur()
    assert.equal(await town.inputValue(), 'Ystad')
  })

  test("shows the service's refusal at its field, then sends what was filled in", async () => {
    await page.getByLabel('Instalments').fill('3')
    await page.getByLabel('Note').fill('bad')
    await page.getByLabel('Due').fill('2026-12-01')
    await page.getByLabel('Paid').check()
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('Is not a good note.').waitFor()
    await page.getByLabel('Note').fill('good')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.waitForFunction(() => (globalThis as unknown as { seen: Seen }).seen.done === 1)
    assert.deepEqual((await seen()).submitted.at(-1), {
      principal: 900.5,
      fee: 0.5,
      count: 3,
      town: 'T2',
      district: '0117',
      note: 'good',
      due: '2026-12-01',
      paid: true,
    })
  })
})
