/** The typeface that we ship. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { skip, startConsole, type ConsoleTest } from './browser.ts'

const fontLimitBytes = 30_000
const languages = ['en', 'sv', 'no', 'da', 'fi', 'de']

/** Every character of the texts in the six languages. */
function listCharacters(): string[] {
  const texts = languages.map((language) =>
    readFileSync(new URL(`../../data/texts/${language}.json`, import.meta.url), 'utf8'),
  )
  return [...new Set(texts.join(''))].filter((character) => character > ' ')
}

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

  test('has every character of the texts', async () => {
    const { page, close } = await tested.open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    // A character that the typeface lacks is as wide as in the typeface that follows.
    const missing = await page.evaluate(async (characters) => {
      await document.fonts.load('1rem "Inter Variable"')
      const pen = document.createElement('canvas').getContext('2d')!
      const measure = (character: string, next: string) => {
        pen.font = `100px "Inter Variable", ${next}`
        return pen.measureText(character).width
      }
      return characters.filter((one) => measure(one, 'monospace') !== measure(one, 'serif'))
    }, listCharacters())
    assert.deepEqual(missing, [])
    assert.ok(listCharacters().length > 80)
    await close()
  })
})
