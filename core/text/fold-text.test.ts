import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { foldText, foldedWords } from './fold-text.ts'

const known: [text: string, folded: string][] = [
  ['Åsa Sjögren', 'asa sjogren'],
  ['SØREN ÆGIDIUS', 'soren aegidius'],
  ['Weiß', 'weiss'],
  ['WEIẞ', 'weiss'],
  ['Þórður', 'thordur'],
  ['Łukasz Żółć', 'lukasz zolc'],
  ['Đorđević', 'dordevic'],
  ['Işık İnan', 'isik inan'],
  ['Œuvre', 'oeuvre'],
  ['Åsa', 'asa'],
]
for (const [text, folded] of known) test(`${text} is ${folded}`, () => assert.equal(foldText(text), folded))

test('folding is done once, and composed or taken apart is the same', () => {
  const western = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code)),
  })
  fc.assert(
    fc.property(western, (text) => {
      assert.equal(foldText(foldText(text)), foldText(text))
      assert.equal(foldText(text.normalize('NFD')), foldText(text.normalize('NFC')))
    }),
  )
})

test('words are folded, each once, without what stands between them', () => {
  assert.deepEqual(foldedWords("Anna-Karin O'Neill A/S, (Anna) n°5\u2013x"), [
    'anna',
    'karin',
    'o',
    'neill',
    'a',
    's',
    'n',
    '5',
    'x',
  ])
  assert.deepEqual(foldedWords(' .,- '), [])
})
