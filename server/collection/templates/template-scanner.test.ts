/** The typesetter itself judges the reader of templates: what this takes for text, Typst must not run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { tryTemplate } from '../letters/typeset.ts'
import { checkTemplate } from './check-template.ts'
import { composeSample } from './sample-letter.ts'

const sample = composeSample({
  kind: 'statement',
  language: 'en',
  sender: 'Agency',
  bankAccountNo: null,
  clientName: 'Shop',
  today: '2026-06-15',
})

/** Ends the compilation with this message when it is run. */
const planted = '#panic("it ran")'
const signs = [
  '/*',
  '*/',
  '//',
  '/',
  'https://',
  'http://',
  'a:',
  ':',
  'x',
  ' ',
  '"',
  '(',
  ')',
  '[',
  ']',
  ',',
]
const more = [
  '\\',
  ';',
  '.',
  '*',
  '=',
  '-',
  '\n',
  '\r',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
  '<',
  '>',
  '~',
  "'",
]
const commands = ['#text[', '#text(', '#text("', '#client', '#box[', 'fill: red', '#h(1pt)', '#link("']
const fragments = fc.array(fc.constantFrom(...signs, ...more, ...commands), { maxLength: 14 })

test('Typst runs nothing that the reader takes for text', async () => {
  let accepted = 0
  const property = fc.asyncProperty(fragments, fragments, async (before, after) => {
    const source = `${before.join('')}${planted}${after.join('')}`
    if (checkTemplate(source, 'statement').length > 0) return
    accepted++
    const { faults } = await tryTemplate(sample, source)
    assert.deepEqual(
      faults.filter(({ message }) => /panic|it ran/.test(message)),
      [],
      source,
    )
  })
  await fc.assert(property, { numRuns: 6000 })
  // In comments, strings and addresses it is text.
  assert.ok(accepted > 100, `${accepted} were accepted`)
  const { faults } = await tryTemplate(sample, planted)
  assert.match(faults[0]!.message, /it ran/)
})
