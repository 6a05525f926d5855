import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkEmail } from '../../../core/identity/email.ts'
import { checkIdNumber } from '../../../core/identity/id-number.ts'
import { readReference } from '../../../core/identity/payment-reference.ts'
import { checkPhone } from '../../../core/identity/phone.ts'
import { checkVatNumber } from '../../../core/identity/vat-number.ts'
import { checkZipCode } from '../../../core/identity/address.ts'
import { readAmount } from '../../../core/money/money.ts'
import { findRefusal } from '../../../core/text/refusals.ts'
import { writeRejection } from './rejection-text.ts'

/** What the rows of files are checked by. */
const folders = ['kinds', 'reading', 'books', ''].map((name) => `server/integration/imports/${name}`)
const rules = [
  'server/access/users/grants.ts',
  'server/access/users/new-users.ts',
  'server/access/users/parties.rules.ts',
  'server/access/users/password.rules.ts',
  'server/access/users/users.rules.ts',
  'server/cases/movements.ts',
  'server/claims/case-inputs.rules.ts',
  'server/parties/clients/clients.changes.ts',
  'server/parties/debtors/addresses.rules.ts',
  'server/parties/debtors/debtors.rules.ts',
  'server/parties/holdings/holdings.rules.ts',
  'server/plans/plan-input.rules.ts',
]
const files = [
  ...rules,
  ...folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  ),
]

const given = /(?:\breason: |checks\.add\(\s*[^,()]+,\s*)(['"`])((?:(?!\1).)*)\1/gs
/** Neither the type of a column nor a reason that is put together elsewhere. */
const isReason = (text: string) => /[a-z]{2} /.test(text)

test('every reason for which a row is rejected has words in each language', () => {
  const reasons = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(given)].map(([, , text]) =>
      text!.replaceAll(/\$\{[^}]*\}/g, '17'),
    ),
  )
  const said = [...new Set(reasons.filter(isReason))]
  assert.ok(said.length > 80, `${said.length} reasons`)
  assert.deepEqual(
    said.filter((reason) => findRefusal(reason) === undefined),
    [],
  )
})

const idNumber = (number: string, countryCode: string) =>
  checkIdNumber({ idNumber: number, countryCode, juridicalType: null, today: '2026-06-15' })

test('what is wrong with a value of a kind has words too', () => {
  const results = [
    checkEmail('a b'),
    checkPhone('1', 'SE'),
    checkPhone('1', 'ZZ'),
    checkVatNumber('1', 'SE'),
    checkZipCode('x', 'SE'),
    checkZipCode('*', 'ZZ'),
    idNumber('1', 'SE'),
    idNumber('19909999-0000', 'SE'),
    idNumber('19900101-0001', 'SE'),
    idNumber('*', 'ZZ'),
    readReference('RF', 'RF00123'),
    readAmount(0.001, 'SEK'),
    readAmount(0.5, 'JPY'),
    readAmount(1e15, 'SEK'),
    readAmount(NaN, 'SEK'),
  ]
  assert.deepEqual(
    results.filter((result) => result.ok || findRefusal(result.message) === undefined),
    [],
  )
})

const write = (fault: Parameters<typeof writeRejection>[0], language: 'en' | 'sv' | 'de') =>
  writeRejection(fault, { language, what: 'cases' })

test('a reason names the field by its label and says what is wrong, in the language', () => {
  const debtor = { field: 'debtorReference', reason: 'is not a debtor.' }
  assert.equal(write(debtor, 'en'), 'Debtor reference: There is no such debtor.')
  assert.equal(write(debtor, 'sv'), 'Gäldenärsnummer: Det finns ingen sådan gäldenär.')
  const day = {
    field: 'invoices[0].dueDate',
    reason: "'31.2.2026' is not a day of the calendar: the month ends on day 28.",
    cell: { kind: 'dayOfMonth', value: '31.2.2026', example: '31.12.2026', last: 28 },
  } as const
  assert.equal(write(day, 'de'), 'Fälligkeit: „31.2.2026“ ist kein Tag des Kalenders: Der Monat endet am 28.')
  assert.equal(
    write({ field: '', reason: 'is longer than 9 bytes. A line end or a quote is probably missing.' }, 'en'),
    'The row is too long. A line end or a quote is probably missing.',
  )
  assert.equal(write({ field: 'principal', reason: 'is strange.' }, 'sv'), 'Kapital is strange.')
})
