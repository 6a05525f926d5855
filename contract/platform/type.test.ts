import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

/** Every function of a builder, with and without options. */
function build(type: typeof Type) {
  const options = { description: 'Said of it.' }
  const simple = [type.Unknown, type.Null, type.Boolean, type.Integer, type.Number, type.String]
  const text = type.String({ maxLength: 3 })
  const object = type.Object(
    { kept: text, left: type.Optional(text), given: type.Unsafe<'a'>(type.Optional(text)) },
    { $id: 'Thing', ...options },
  )
  return [
    ...simple.flatMap((make) => [make(), make(options)]),
    ...['a', 1, true].map((value) => type.Literal(value, options)),
    type.Enum(['a', 'b'], options),
    type.Union([text, type.Null()], options),
    type.Array(text, options),
    object,
    type.Object({ left: type.Optional(text) }),
    type.Record(type.String({ minLength: 1 }), text, options),
    type.Optional(object),
    type.Unsafe<1>({ ...object, title: 'Another' }),
  ]
}

test('schemas are written as TypeBox writes them', () => {
  assert.equal(JSON.stringify(build(Type)), JSON.stringify(build(TypeBox)))
})

test('the code of TypeBox is loaded by the OpenAPI document alone', () => {
  const cwd = join(import.meta.dirname, '../..')
  const files = globSync('{contract,core,server,services,cli}/**/*.ts', { cwd })
  const loading = files.filter((file) => {
    return (
      !file.endsWith('.test.ts') &&
      /^import (?!type\b)[^']*'typebox/m.test(readFileSync(join(cwd, file), 'utf8'))
    )
  })
  assert.deepEqual(loading.toSorted(), [
    'contract/openapi/openapi-examples.ts',
    'contract/openapi/openapi-services.ts',
  ])
})
