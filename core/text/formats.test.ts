import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormats } from './formats.ts'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

for (const [culture, money, amount, day, rate] of [
  ['sv-SE', '1 234,50 kr', '1 234,50', '20 juni 2026', '8,125'],
  ['en-GB', 'SEK 1,234.50', '1,234.50', '20 Jun 2026', '8.125'],
  ['de-DE', '1.234,50 SEK', '1.234,50', '20.06.2026', '8,125'],
] as const) {
  test(`${culture} writes ${money}, ${day} and ${rate}`, () => {
    const formats = findFormats(culture)
    assert.equal(plain(formats.money(123450n, 'SEK')), money)
    assert.equal(plain(formats.amount(123450n, 'SEK')), amount)
    assert.equal(plain(formats.day('2026-06-20')), day)
    assert.equal(formats.rate('8.125'), rate)
  })
}

test('each currency has its decimals, and no digit is lost', () => {
  const { amount, rate } = findFormats('en-GB')
  assert.equal(amount(7n, 'JPY'), '7')
  assert.equal(amount(1n, 'KWD'), '0.001')
  assert.equal(amount(99_999_999_999_999_99n, 'SEK'), '99,999,999,999,999.99')
  assert.equal(rate('10'), '10')
})

test('more cultures than are kept are still written, and text that is no tag is refused', () => {
  for (let number = 100; number < 350; number++) assert.equal(findFormats(`sv-${number}`).rate('0.5'), '0,5')
  assert.throws(() => findFormats('en-aa-bb'), RangeError)
})
