import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvStyle, startCsv, writeCsvLine } from './csv.ts'

const swedish = csvStyle('sv-SE')
const british = csvStyle('en-GB')

test('has the separator and the decimal sign of the country', () => {
  const row = ['Ek, Åsa', { value: 1234.5, decimals: 2 }, 0.25, '2026-12-31T13:45:00']
  assert.equal(writeCsvLine(row, swedish), 'Ek, Åsa;1234,50;0,25;2026-12-31 13:45:00\r\n')
  assert.equal(writeCsvLine(row, british), '"Ek, Åsa",1234.50,0.25,2026-12-31 13:45:00\r\n')
})

test('begins with a mark that spreadsheets know', () => {
  assert.equal(startCsv(['Namn', 'Ort'], swedish), '\uFEFFNamn;Ort\r\n')
})

test('quotes what would break a cell', () => {
  assert.equal(
    writeCsvLine(['a;b', 'say "x"', 'two\nlines', null, 12, true], swedish),
    '"a;b";"say ""x""";"two\nlines";;12;true\r\n',
  )
})

test('leaves no cell that is calculated, and numbers as they are', () => {
  assert.equal(
    writeCsvLine(['=1+1', '+46 70', '-1', '-1,5', '@cmd', '-cmd', '\tx'], swedish),
    "'=1+1;'+46 70;-1;-1,5;'@cmd;'-cmd;'\tx\r\n",
  )
})
