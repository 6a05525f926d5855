/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cleanText, composeFullName } from './person-name.ts'

test('a full name is composed of what is there', () => {
  const parts = { firstname: ' Åsa ', middlename: 'Maria  Eva', lastname: 'Lindqvist', nameSuffix: 'Jr' }
  assert.equal(composeFullName(parts), 'Åsa Maria Eva Lindqvist Jr')
  assert.equal(composeFullName({ lastname: 'Lindqvist', firstname: null, middlename: '' }), 'Lindqvist')
  assert.equal(composeFullName({ firstname: ' ' }), null)
  assert.equal(composeFullName({}), null)
})

test('text is composed and single-spaced', () => {
  assert.equal(cleanText('  A\u030asa\u00a0\u200b \n Berg\ufeff '), 'Åsa Berg')
  assert.equal(cleanText('a\u200b\u030a'), 'å')
})

test('a name has no controls and nothing that turns its direction, and keeps letters written from the right', () => {
  assert.equal(cleanText('Eva\u202e dniL\u202c'), 'Eva dniL')
  assert.equal(cleanText('\u2067Eva\u2069 \u200eLi\u0085nd\u009b'), 'Eva Lind')
  assert.equal(cleanText('E\u200dva Li\u200cnd'), 'Eva Lind')
  assert.equal(cleanText('Eva\u{e0041} L\u2060ind'), 'Eva Lind')
  const arabic = '\u0641\u0627\u0637\u0645\u0629'
  assert.equal(cleanText(`\u200f${arabic}\u061c`), arabic)
  // The Persian "they go" is written with a non-joiner.
  const persian = '\u0645\u06cc\u200c\u0631\u0648\u0646\u062f'
  assert.equal(cleanText(persian), persian)
  assert.equal(cleanText('\u05e9\u05e8\u05d4'), '\u05e9\u05e8\u05d4')
})

test('cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = cleanText(text)
      assert.equal(cleanText(once), once)
      assert.doesNotMatch(once, /^\s|\s$|\s\s/)
    }),
  )
})

test('a text that looks clean already is what cleaning makes of it', () => {
  const letters = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x17f }).map((code) => String.fromCharCode(code)),
  })
  // A zero-width space goes in any case, and keeps the text from looking clean.
  fc.assert(fc.property(letters, (text) => assert.equal(cleanText(text), cleanText(`\u200b${text}`))))
})
