import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { DebtorListItem } from '../../../contract/parties/debtors.ts'
import { code, dateTime, flag, guid, key, links, text } from '../../../contract/metadata/fields.ts'
import { filterableProperties } from './properties.ts'

test('scalars with a column become properties of their type', () => {
  const item = Type.Object({
    personGuid: guid('Person'),
    fullName: text(10, 'Name'),
    reference: key(10, 'Reference'),
    gender: code('Gender', { 0: 'unknown' }),
    underAged: flag('Under age'),
    regDate: dateTime('Registered'),
    balance: Type.Number(),
    secret: text(10, 'Secret', { unfilterable: true }),
    withoutColumn: text(10, 'Computed'),
    mixed: Type.Unsafe<string | number>({ type: ['string', 'number'] }),
    links,
  })
  const names = Object.keys(item.properties).filter((name) => name !== 'withoutColumn')
  const columns = Object.fromEntries(names.map((name) => [name, `p.${name}`]))
  assert.deepEqual(
    [...filterableProperties(item, columns)].map(([lower, { name, type, nullable, column }]) => [
      lower,
      name,
      type,
      nullable,
      column,
    ]),
    [
      ['personguid', 'personGuid', 'guid', false, 'p.personGuid'],
      ['fullname', 'fullName', 'string', true, 'p.fullName'],
      ['reference', 'reference', 'string', false, 'p.reference'],
      ['gender', 'gender', 'int32', true, 'p.gender'],
      ['underaged', 'underAged', 'boolean', true, 'p.underAged'],
      ['regdate', 'regDate', 'date-time', true, 'p.regDate'],
      ['balance', 'balance', 'number', false, 'p.balance'],
    ],
  )
})

test('every member of the debtor list can be filtered', () => {
  const names = Object.keys(DebtorListItem.properties)
  const properties = filterableProperties(
    DebtorListItem,
    Object.fromEntries(names.map((name) => [name, 'd.x'])),
  )
  assert.deepEqual(
    [...properties.values()].map(({ name }) => name),
    names,
  )
})

test('names that differ only by case are refused', () => {
  const item = Type.Object({ city: text(1, ''), City: text(1, '') })
  assert.throws(
    () => filterableProperties(item, { city: 'a', City: 'b' }),
    /differ by more than case: City does not/,
  )
})
