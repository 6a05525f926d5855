import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCsv, writeCsvLine } from './csv.ts'

test('begins with a mark that spreadsheets know', () => {
  assert.equal(startCsv(['Namn', 'Ort']), '\uFEFFNamn;Ort\r\n')
})

test('quotes what would break a cell', () => {
  assert.equal(
    writeCsvLine(['a;b', 'say "x"', 'two\nlines', null, undefined, 12, true]),
    '"a;b";"say ""x""";"two\nlines";;;12;true\r\n',
  )
})

test('leaves no cell that is calculated, and numbers as they are', () => {
  assert.equal(
    writeCsvLine(['=1+1', '+46 70', '-1', '-1,5', '@cmd', '-cmd', '\tx']),
    "'=1+1;'+46 70;-1;-1,5;'@cmd;'-cmd;'\tx\r\n",
  )
})
