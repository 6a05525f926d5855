import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bankAccountFault,
  readBankgiro,
  isIban,
  formatNationalAccount,
  normaliseAccount,
} from './bank-account.ts'

test('an IBAN has check digits', () => {
  assert.deepEqual(['FI2112345600000785', 'NO9386011117947', 'FI2212345600000785', 'X'].map(isIban), [
    true,
    true,
    false,
    false,
  ])
})

test('what money can be sent to has no fault, however it is written', () => {
  const good = [
    'SE45 5000 0000 0583 9825 7466',
    'fi2112345600000785',
    '5805-6201',
    'BG 5805-6201',
    '991-2346',
  ]
  for (const account of [...good, '8601.11.17947', '8327-9 123 456 7', '37 04 00 44 / 0532013000', '12 34-5'])
    assert.equal(bankAccountFault(account), null, account)
  assert.deepEqual([readBankgiro('bg: 5805-6201'), readBankgiro('58056201')], ['58056201', null])
  assert.deepEqual([formatNationalAccount('8601.11.17947'), normaliseAccount('a b')], ['86011117947', 'AB'])
})

test('a slip of the finger is told by its check digit, and what is no account by its signs', () => {
  for (const [account, why] of [
    ['SE45 5000 0000 0583 9825 7467', /no IBAN/],
    ['SE4550000000058398257', /no IBAN/],
    ['5805-6202', /no bankgiro number/],
    ['BG58056201', /no IBAN/],
    ['-', /must be an IBAN/],
    ['<x>&', /must be an IBAN/],
    ['unknown', /must be an IBAN/],
  ] as const)
    assert.match(bankAccountFault(account) ?? '', why, account)
})
