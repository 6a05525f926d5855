import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compileFilter } from './filter.ts'
import { ODataError } from './odata-error.ts'
import { compileOrder } from './order.ts'
import { parseFilter } from './parse.ts'
import { filterOptions, people } from '../../testing/records/people.ts'
import { conditions, printExpression } from '../../testing/records/trees.ts'

/** Parts of filters, to be joined by spaces. */
const words = String.raw`city gender balance underAged regDate personGuid 'x' 'it''s' ' 5 -1.5e3 2026-01-31
  2026-01-31T10:00:00Z 3f2504e0-4f89-41d3-9a0c-0305e82c3301 null true eq ne gt le in not and or ( ) , contains(
  tolower( year( now() desc $ @ / + -`.split(/\s+/)

function checkRefusal(source: string, run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ODataError)) throw error
    assert.ok(Number.isInteger(error.position) && error.position >= 0 && error.position <= source.length)
  }
}

test('any text is compiled or refused by an ODataError within the text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' ')),
    fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (source) => {
      checkRefusal(source, () => compileFilter(people, source, filterOptions))
      checkRefusal(source, () => compileOrder(people, source, { collation: 'fordra_order', key: 'p.id' }))
    }),
    { numRuns: 2000 },
  )
})

test('every placeholder has its parameter and a cast, and values never reach the SQL', () => {
  fc.assert(
    fc.property(conditions, (tree) => {
      const { text, parameters } = compileFilter(people, printExpression(tree), filterOptions)
      const used = [
        ...text.matchAll(/\$(\d+)(?=::(?:text|integer|numeric|boolean|timestamptz|date|uuid)\b)/g),
      ]
      assert.deepEqual(
        used.map(([, number]) => Number(number)),
        parameters.map((_, index) => index + 1),
      )
      assert.equal(text.split('$').length - 1, used.length)
      assert.doesNotMatch(text.replace(/E' [^']*'|'UTC'/g, ''), /'/)
    }),
    { numRuns: 500 },
  )
})

test('a tree printed as text is read as the same tree', () => {
  fc.assert(
    fc.property(conditions, (tree) => {
      assert.deepEqual(withoutPositions(parseFilter(people, printExpression(tree))), withoutPositions(tree))
    }),
    { numRuns: 1000 },
  )
})

const withoutPositions = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === 'at' ? undefined : value)))
