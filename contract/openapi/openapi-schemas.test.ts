import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { SchemaCollection } from './openapi-schemas.ts'

test('two schemas under one name are refused', () => {
  const collection = new SchemaCollection()
  collection.include(Type.Object({}, { $id: 'Thing' }), 'request')
  collection.include(Type.Object({}, { $id: 'Thing' }), 'response')
  assert.throws(
    () => collection.include(Type.Object({ a: Type.Null() }, { $id: 'Thing' }), 'response'),
    /Two different schemas are named Thing/,
  )
})
