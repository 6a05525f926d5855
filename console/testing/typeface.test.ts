/** The typeface that we ship. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { skip, startConsole, type ConsoleTest } from './browser.ts'

const fontLimitBytes = 60_000

describe('the typeface', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
  })
  after(() => tested?.close())

  test('comes as one small file and has digits of one width', async () => {
    const { page, close } = await tested.open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const shown = await page.evaluate(async () => {
      await document.fonts.load('1rem "Inter Variable"', 'Åäøß')
      const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
      const fonts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'))
      return {
        loaded: loaded.map(({ family }) => family.replaceAll('"', '')),
        family: getComputedStyle(document.querySelector('h1')!).fontFamily,
        bytes: fonts.map((font) => (font as PerformanceResourceTiming).encodedBodySize),
        widths: ['1111111111', '8888888888'].map((text) => {
          const span = document.createElement('span')
          span.textContent = text
          document.body.append(span)
          return span.getBoundingClientRect().width
        }),
      }
    })
    assert.deepEqual(shown.loaded, ['Inter Variable'])
    assert.match(shown.family, /^"Inter Variable"/)
    assert.equal(shown.bytes.length, 1)
    assert.ok(shown.bytes[0]! > 0 && shown.bytes[0]! < fontLimitBytes, `${shown.bytes[0]} bytes`)
    assert.equal(shown.widths[0], shown.widths[1])
    await close()
  })
})
