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
