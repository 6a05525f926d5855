import assert from 'node:assert/strict'
import { test } from 'node:test'
import { municipalities } from './municipalities.ts'

const of = (country: string) => municipalities.filter((one) => one.country === country)
const named = (country: string, code: string) => of(country).find((one) => one.code === code)

test('each country has as many municipalities as it has by law', () => {
  const counts = Object.groupBy(municipalities, ({ country }) => country)
  assert.deepEqual(
    Object.fromEntries(Object.entries(counts).map(([country, all]) => [country, all!.length])),
    {
      SE: 290,
      NO: 357,
      DK: 98,
      FI: 308,
    },
  )
})

test('a code is one municipality of its country, and has the form that its country gives it', () => {
  const forms = { SE: /^[0-2]\d{3}$/, NO: /^(0301|[1-5]\d{3})$/, DK: /^0[1-8]\d{2}$/, FI: /^\d{3}$/ }
  for (const [country, form] of Object.entries(forms)) {
    const codes = of(country).map(({ code }) => code)
    assert.equal(new Set(codes).size, codes.length, country)
    assert.deepEqual(
      codes.filter((code) => !form.test(code)),
      [],
    )
    assert.deepEqual(codes, codes.toSorted(), country)
  }
})

test('a name is clean, and is another municipality’s only where the country tells them apart', () => {
  for (const { code, name, swedishName } of municipalities) {
    for (const text of [name, swedishName ?? name]) {
      assert.match(text, /^\p{Lu}[\p{L} :()-]+$/u, code)
      assert.equal(text, text.trim().replaceAll(/\s+/g, ' ').normalize('NFC'), code)
    }
    assert.notEqual(swedishName, name, code)
  }
  for (const country of ['SE', 'NO', 'DK', 'FI'])
    assert.equal(new Set(of(country).map(({ name }) => name)).size, of(country).length, country)
})

test('known municipalities, and what was merged or split is as it is today', () => {
  const known: [country: string, code: string, name: string][] = [
    ['SE', '0180', 'Stockholm'],
    ['SE', '0331', 'Heby'],
    ['SE', '2584', 'Kiruna'],
    ['NO', '0301', 'Oslo - Oslove'],
    ['NO', '1580', 'Haram'],
    ['NO', '5501', 'Tromsø'],
    ['DK', '0101', 'København'],
    ['DK', '0751', 'Aarhus'],
    ['FI', '091', 'Helsinki'],
    ['FI', '005', 'Alajärvi'],
  ]
  for (const [country, code, name] of known) assert.equal(named(country, code)?.name, name, code)
  assert.equal(named('FI', '091')?.swedishName, 'Helsingfors')
  assert.equal(named('FI', '005')?.swedishName, undefined)
  const gone = [named('NO', '5401'), named('FI', '099'), named('FI', '588'), named('DK', '0411')]
  assert.deepEqual(gone, [undefined, undefined, undefined, undefined])
})

test('the codes that two countries share are few, and Sweden is always one of the two', () => {
  const byCode = Object.values(Object.groupBy(municipalities, ({ code }) => code)).filter(
    (all) => all!.length > 1,
  )
  assert.equal(byCode.length, 16)
  assert.ok(byCode.every((all) => all!.length === 2 && all!.some(({ country }) => country === 'SE')))
})
