import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseTexts, feeWords } from './case-texts.ts'
import { fillIn } from '../text/fill-in.ts'

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted()

test('every language says the same things, with the same numbers in them', () => {
  const english = Object.entries(caseTexts.en)
  assert.ok(english.length > 25)
  for (const [language, texts] of Object.entries(caseTexts)) {
    assert.deepEqual(Object.keys(texts), Object.keys(caseTexts.en), language)
    for (const [key, text] of english) {
      const own = texts[key as keyof typeof texts]
      assert.deepEqual(placesIn(own), placesIn(text), `${language} ${key}`)
      assert.ok(own.trim() !== '', `${language} ${key}`)
      if (language !== 'en') assert.ok(own !== text, `${language} ${key} is still English`)
    }
  }
})

test('names are filled in, and what has no value stays', () => {
  assert.equal(fillIn('{a} of {b}, {a}', { a: '1' }), '1 of {b}, 1')
})

test('a fee in words, or as the client calls it', () => {
  assert.equal(feeWords('reminder', 'en'), 'Reminder')
  assert.equal(feeWords('collectionDemand', 'en'), 'Collection demand')
  assert.equal(feeWords('reminder', 'sv'), caseTexts.sv['fee.reminder'])
  assert.equal(feeWords('Storage of the car', 'sv'), 'Storage of the car')
})
