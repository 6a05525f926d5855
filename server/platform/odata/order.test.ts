import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ODataError } from './odata-error.ts'
import { compileOrder } from './order.ts'
import { people } from '../../testing/records/people.ts'

const options = { collation: 'fordra_order', key: 'p.id' }

test('orders end in the key, in the direction of the last property', () => {
  const rows: [source: string | undefined, text: string, reversed: string, keyDescending: boolean][] = [
    [undefined, 'p.id ASC', 'p.id DESC', false],
    [
      'fullname',
      'p.full_name COLLATE fordra_order ASC NULLS FIRST, p.id ASC',
      'p.full_name COLLATE fordra_order DESC NULLS LAST, p.id DESC',
      false,
    ],
    [
      ' FULLNAME DESC ',
      'p.full_name COLLATE fordra_order DESC NULLS LAST, p.id DESC',
      'p.full_name COLLATE fordra_order ASC NULLS FIRST, p.id ASC',
      true,
    ],
    [
      'reference asc, balance desc',
      'p.reference COLLATE fordra_order ASC NULLS FIRST, p.balance DESC NULLS LAST, p.id DESC',
      'p.reference COLLATE fordra_order DESC NULLS LAST, p.balance ASC NULLS FIRST, p.id ASC',
      true,
    ],
    [
      'regDate desc,gender',
      'p.reg_date DESC NULLS LAST, p.gender ASC NULLS FIRST, p.id ASC',
      'p.reg_date ASC NULLS FIRST, p.gender DESC NULLS LAST, p.id DESC',
      false,
    ],
    [
      'gender desc, GENDER asc',
      'p.gender DESC NULLS LAST, p.id DESC',
      'p.gender ASC NULLS FIRST, p.id ASC',
      true,
    ],
    [
      'gender,personGuid desc,city',
      'p.gender ASC NULLS FIRST, p.id DESC',
      'p.gender DESC NULLS LAST, p.id ASC',
      true,
    ],
  ]
  for (const [source, text, reversedText, keyDescending] of rows) {
    const order = compileOrder(people, source, options)
    assert.deepEqual(
      { text: order.text, reversedText: order.reversedText, keyDescending: order.keyDescending },
      { text, reversedText, keyDescending },
      source,
    )
  }
})

test('terms name the properties of the order', () => {
  const { terms } = compileOrder(people, 'city desc, gender, city', options)
  assert.deepEqual(
    terms.map(({ property, descending }) => [property.name, descending]),
    [
      ['city', true],
      ['gender', false],
    ],
  )
})

test('errors name position, finding and remedy', () => {
  const names = ['fullName', 'city', 'reference', 'gender', 'rank', 'balance', 'limit', 'active']
  compileOrder(people, names.join(', '), options)
  const rows: [source: string, position: number, ...says: string[]][] = [
    ['', 0, 'the text ends here', 'name of a property'],
    ['city,', 5, 'the text ends here'],
    [',city', 0, "',' stands here"],
    ['city sideways', 5, "'sideways' stands here", 'asc, desc'],
    ['city asc desc', 9, "'desc' stands here"],
    ['fulname desc', 0, "'fulname' is not a property", 'Did you mean fullName'],
    ['tolower(city)', 0, "'tolower' stands here", 'Functions are not supported'],
    ['address/city', 7, 'Paths are not supported'],
    ["'city'", 0, 'a quoted text stands here'],
    ['1', 0, 'a number stands here'],
    ['city\n', 4, 'control character'],
    [`${names.join(',')},regDate`, 57, 'At most 8'],
    [' '.repeat(4001), 4000, 'At most 4000'],
  ]
  for (const [source, position, ...says] of rows) {
    assert.throws(
      () => compileOrder(people, source, options),
      (error) => {
        assert.ok(error instanceof ODataError)
        assert.equal(error.option, '$orderby')
        assert.equal(error.position, position, `${source} → ${error.message}`)
        for (const part of says) assert.ok(error.message.includes(part), `${source} → ${error.message}`)
        return true
      },
    )
  }
})
