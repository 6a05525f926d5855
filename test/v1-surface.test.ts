/**
 * v1 of the API stays what it is: nothing is taken away from test/v1-surface.json, and nothing becomes stricter. Additions
 * pass; `FORDRA_UPDATE=1` writes them down, and refuses to write down a break.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { JsonSchema } from '../contract/openapi/openapi-document.ts'
import { openApiDocument } from '../contract/openapi/openapi.ts'
import { findBreaks, readSurface, writeSurface, type Surface } from './v1-surface.ts'

const file = 'test/v1-surface.json'
const surface = readSurface(openApiDocument({ version: '1' }))

test('v1 does not break', (context) => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const breaks = text === undefined ? [] : findBreaks(JSON.parse(text) as Surface, surface)
  assert.deepEqual(breaks, [], 'What is served as v1 breaks its callers. Add beside what is there.')
  const written = writeSurface(surface)
  if (process.env['FORDRA_UPDATE'] === '1') writeFileSync(file, written)
  else assert.ok(text !== undefined, `${file} is missing: FORDRA_UPDATE=1 writes it`)
  if (text !== written) context.diagnostic(`${file} lacks additions: FORDRA_UPDATE=1 writes them down`)
})

const operation = (changes: object = {}) => ({
  id: 'getThing',
  access: ['thing.read'],
  inputs: { 'query $top': { required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } } },
  body: { required: true, schema: { $ref: '#/components/schemas/ThingInput' } },
  answers: { '200 application/json': { $ref: '#/components/schemas/Thing' } },
  ...changes,
})
const thing: JsonSchema = {
  type: 'object',
  required: ['name', 'parts'],
  properties: {
    name: { type: ['string', 'null'] },
    size: { type: 'number' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
  },
}
const input: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: ['string', 'null'], maxLength: 50 },
    kind: { type: 'string', enum: ['a', 'b'] },
    note: { anyOf: [{ type: 'string' }, { type: 'object' }] },
  },
}
const make = (own: object = {}, schemas: Record<string, JsonSchema> = {}) =>
  ({
    operations: { 'PUT /things': operation(own) },
    schemas: { Thing: thing, ThingInput: input, ...schemas },
  }) as Surface
const withMember = (schema: JsonSchema, member: JsonSchema, required: string[] = []): JsonSchema => ({
  ...schema,
  required: [...(schema['required'] as string[]), ...required],
  properties: { ...(schema['properties'] as object), ...member },
})
const without = (schema: JsonSchema, name: string): JsonSchema => {
  const { [name]: _, ...properties } = schema['properties'] as JsonSchema
  return { ...schema, properties }
}

describe('a break is found', () => {
  const cases: [name: string, now: Surface, says: RegExp][] = [
    ['an operation that is gone', { operations: {}, schemas: {} }, /^PUT \/things is gone$/],
    ['another operationId', make({ id: 'readThing' }), /getThing became readThing/],
    ['an access code less', make({ access: ['thing.write'] }), /access thing\.read became thing\.write/],
    ['a parameter that is gone', make({ inputs: {} }), /query \$top is gone/],
    [
      'a new required parameter',
      make({ inputs: { ...operation().inputs, 'query day': { required: true, schema: {} } } }),
      /query day became required/,
    ],
    [
      'a lower limit',
      make({
        inputs: { 'query $top': { required: false, schema: { type: 'integer', minimum: 1, maximum: 50 } } },
      }),
      /maximum 100 became 50/,
    ],
    ['a status that is gone', make({ answers: {} }), /answer 200 application\/json is gone/],
    ['a body that is gone', make({ body: undefined }), /the body is gone/],
    ['a member of an answer that is gone', make({}, { Thing: without(thing, 'size') }), /\.size is gone/],
    [
      'a member of an answer that may be missing',
      make({}, { Thing: { ...thing, required: ['name'] } }),
      /\.parts may be missing/,
    ],
    [
      'a member of an answer that may be null now',
      make({}, { Thing: withMember(thing, { size: { type: ['number', 'null'] } }) }),
      /\.size may now be null/,
    ],
    [
      'a member of a body that is gone',
      make({}, { ThingInput: without(input, 'kind') }),
      /body\.kind is gone/,
    ],
    [
      'a new required member of a body',
      make({}, { ThingInput: withMember(input, { day: { type: 'string' } }, ['day']) }),
      /body\.day became required/,
    ],
    [
      'a narrowed type of a body',
      make({}, { ThingInput: withMember(input, { name: { type: 'string', maxLength: 50 } }) }),
      /body\.name no longer takes null/,
    ],
    [
      'a shorter text',
      make({}, { ThingInput: withMember(input, { name: { type: ['string', 'null'], maxLength: 40 } }) }),
      /maxLength 50 became 40/,
    ],
    [
      'a new pattern',
      make(
        {},
        { ThingInput: withMember(input, { kind: { type: 'string', enum: ['a', 'b'], pattern: 'a' } }) },
      ),
      /pattern undefined became a/,
    ],
    [
      'a value that is no longer taken',
      make({}, { ThingInput: withMember(input, { kind: { type: 'string', enum: ['a'] } }) }),
      /body\.kind takes fewer values/,
    ],
    [
      'a branch that is no longer taken',
      make({}, { ThingInput: withMember(input, { note: { anyOf: [{ type: 'string' }] } }) }),
      /anyOf takes less/,
    ],
  ]
  for (const [name, now, says] of cases) {
    test(name, () => {
      const breaks = findBreaks(make(), now)
      assert.ok(
        breaks.some((line) => says.test(line)),
        breaks.join('\n') || 'nothing was found',
      )
    })
  }
})

describe('what was added passes', () => {
  const optional = { required: false, schema: { type: 'string' } }
  const cases: [name: string, now: Surface][] = [
    ['nothing', make()],
    [
      'another operation',
      { ...make(), operations: { ...make().operations, 'GET /more': operation() as never } },
    ],
    ['a further access code', make({ access: ['thing.read', 'thing.write'] })],
    ['an optional parameter', make({ inputs: { ...operation().inputs, 'query day': optional } })],
    [
      'a higher limit',
      make({ inputs: { 'query $top': { required: false, schema: { type: 'integer', maximum: 500 } } } }),
    ],
    ['a further answer', make({ answers: { ...operation().answers, '202 application/json': {} } })],
    ['a further member of an answer', make({}, { Thing: withMember(thing, { day: {} }, ['day']) })],
    [
      'an optional member of a body',
      make({}, { ThingInput: withMember(input, { day: { type: 'string' } }) }),
    ],
    [
      'a narrower answer',
      make({}, { Thing: withMember(thing, { size: { type: 'integer' }, name: { type: 'string' } }) }),
    ],
    [
      'a value more',
      make({}, { ThingInput: withMember(input, { kind: { type: 'string', enum: ['a', 'b', 'c'] } }) }),
    ],
    ['a schema of another name', renamed()],
  ]
  for (const [name, now] of cases) test(name, () => assert.deepEqual(findBreaks(make(), now), []))
})

function renamed(): Surface {
  const text = JSON.stringify(make())
    .replaceAll('/ThingInput"', '/NewThing"')
    .replace('"ThingInput"', '"NewThing"')
  return JSON.parse(text) as Surface
}
