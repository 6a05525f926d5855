/// <reference types="node" />
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { Type, type TSchema } from 'typebox'
import { basePath, operations as general } from '../api.ts'
import { formOperationList } from '../metadata/form-operations.ts'
import { createExample } from './openapi-examples.ts'
import { SchemaCollection } from './openapi-schemas.ts'
import { openApiDocument } from './openapi.ts'
import type { Operation } from '../platform/operation.ts'
import { problems } from '../platform/problem.ts'

type Json = Record<string, unknown>
const operations: readonly Operation[] = [...general, ...formOperationList]
const document = openApiDocument({ version: '1.2.3' })
/** As a reader receives it: without values that JSON cannot hold. */
const wire = JSON.parse(JSON.stringify(document)) as Json
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every object of the document with its JSON pointer. */
function* walkObjects(value: unknown, pointer = ''): Generator<[pointer: string, value: Json]> {
  if (!isObject(value)) return
  yield [pointer, value]
  for (const [name, child] of Object.entries(value)) {
    yield* walkObjects(child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

function resolvePointer(root: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>(
    (at, name) => (isObject(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  )
}

const documentKeywords = ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components']
function createAjv() {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  addFormats.default(ajv)
  ajv.addVocabulary([
    ...documentKeywords,
    'x-lookup',
    'x-day',
    'x-personal-data',
    'x-extensible-enum',
    'example',
  ])
  return ajv
}

/** Counts the examples of a document and collects their errors. */
function checkExamples(root: Json) {
  const ajv = createAjv()
  ajv.addSchema(root, 'document')
  const wrong: string[] = []
  let count = 0
  const holders = [...walkObjects(root)].filter(([, { schema }]) => isObject(schema))
  for (const [pointer, holder] of holders) {
    const named = Object.values((holder.examples ?? {}) as Record<string, Json>).map(({ value }) => value)
    const examples = 'example' in holder ? [holder.example, ...named] : named
    const validate = ajv.compile({ $ref: `document#${encodeURI(pointer)}/schema` })
    for (const example of examples) {
      count += 1
      if (!validate(example)) wrong.push(`${pointer}: ${ajv.errorsText(validate.errors)}`)
    }
  }
  return { wrong, count }
}

const operationObjects = [...walkObjects(wire.paths)].filter(
  ([, value]) => 'operationId' in value && 'responses' in value,
)
const findOperationObject = (name: string) => {
  const found = operationObjects.find(([, { operationId }]) => operationId === name)
  assert.ok(found, `the document has no operation ${name}`)
  return found[1]
}
const listStatuses = (name: string) => Object.keys(findOperationObject(name).responses as Json).join(' ')
const listParameters = (name: string) =>
  (findOperationObject(name).parameters as Json[]).map((parameter) => {
    const target =
      typeof parameter.$ref === 'string' ? resolvePointer(wire, parameter.$ref.slice(1)) : parameter
    return (target as Json).name
  })
const listHeaders = (name: string, status: number) =>
  Object.keys((findOperationObject(name).responses as Record<string, Json>)[status]!.headers as Json)
const problemResponses = (name: string, header: string) =>
  header in (resolvePointer(wire, `/components/responses/${name}/headers`) as Json)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(wire))
    assert.equal(valid, true, JSON.stringify(errors, undefined, 2))
    const { openapi: _openapi, ...broken } = wire
    assert.equal((await new Validator().validate(broken)).valid, false)
  })

  test('has no patterns with Unicode classes, which other dialects read differently', () => {
    const patterns = [...walkObjects(wire)].flatMap(([, { pattern }]) =>
      typeof pattern === 'string' ? [pattern] : [],
    )
    assert.ok(patterns.length > 5)
    for (const pattern of patterns) assert.doesNotMatch(pattern, /\\[pP]/)
  })

  test('has every operation at its path and method, and nothing else', () => {
    for (const { name, method, path } of operations) {
      const template = path.replaceAll(/:(\w+)/g, '{$1}')
      const found = resolvePointer(
        wire.paths,
        `/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`,
      ) as Json | undefined
      assert.equal(found?.operationId, name)
    }
    assert.equal(operationObjects.length, operations.length)
    assert.deepEqual((wire.servers as Json[])[0]?.url, basePath)
  })

  test('describes the items of every list, as linters and generators require', () => {
    const lists = [...walkObjects(wire)].filter(([, { type }]) => [type].flat().includes('array'))
    assert.ok(lists.length > 50)
    for (const [pointer, { items }] of lists) assert.ok(isObject(items), pointer)
  })

  test('names each operation once', () => {
    const ids = operationObjects.map(([, { operationId }]) => operationId)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('declares each parameter of a path, and no other', () => {
    for (const { name, path } of operations) {
      const declared = (findOperationObject(name).parameters as Json[]).filter((each) => each.in === 'path')
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter)
      assert.deepEqual(declared.map((each) => each.name).toSorted(), inPath.toSorted(), name)
    }
  })

  test('resolves every reference and uses every shared component', () => {
    const references = [...walkObjects(wire)].flatMap(([, { $ref }]) =>
      typeof $ref === 'string' ? [$ref] : [],
    )
    assert.ok(references.length > 100)
    for (const reference of references) {
      assert.ok(isObject(resolvePointer(wire, reference.slice(1))), `${reference} leads nowhere`)
    }
    for (const [kind, members] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue
      for (const name of Object.keys(members as Json)) {
        assert.ok(references.includes(`#/components/${kind}/${name}`), `${kind}/${name} is used nowhere`)
      }
    }
  })

  test('contains nothing internal to the schema builder', () => {
    for (const [pointer, value] of walkObjects(wire)) {
      assert.ok(!('$id' in value) && !('x-field' in value) && !('x-demands' in value), pointer)
    }
  })

  test('has only valid examples', () => {
    const { wrong, count } = checkExamples(wire)
    assert.deepEqual(wrong, [])
    assert.ok(count > operations.length * 2, `only ${count} examples were checked`)
    const broken = structuredClone(wire)
    const tokens = resolvePointer(broken, '/components/schemas/Tokens/properties/tokenType') as Json
    tokens.const = 'Basic'
    assert.ok(checkExamples(broken).wrong.length >= 2)
  })

  test('has no example that only repeats the name of its member', () => {
    const repeats = (value: unknown, name: string): string[] => {
      if (Array.isArray(value)) return value.flatMap((one) => repeats(one, name))
      if (isObject(value)) return Object.entries(value).flatMap(([member, one]) => repeats(one, member))
      if (typeof value !== 'string' || value.length < 3) return []
      const [own, given] = [name.toLowerCase(), value.toLowerCase()]
      return own.startsWith(given) || /^(text|string)$/.test(given) ? [`${name}: ${value}`] : []
    }
    const media = [...walkObjects(wire.paths)].filter(([pointer]) => /\/content\/[^/]+$/.test(pointer))
    assert.ok(media.length > 400)
    const found = new Set(media.flatMap(([, { example }]) => repeats(example, '')))
    // These are the values themselves: of a field and of a column of a report.
    assert.deepEqual([...found].toSorted(), ['kind: text', 'type: string'])
  })

  test('has an example for every success and every request body', () => {
    for (const [pointer, { responses, requestBody }] of operationObjects) {
      const [[status, success] = []] = Object.entries(responses as Record<string, Json>)
      if (status === '302') {
        assert.ok(!('content' in success!) && 'Location' in (success!.headers as Json), pointer)
        continue
      }
      for (const holder of [success, requestBody].filter(isObject)) {
        for (const media of Object.values(holder.content as Record<string, Json>)) {
          assert.ok('example' in media, pointer)
        }
      }
    }
  })

  test('is the same every time it is built', () => {
    assert.deepEqual(openApiDocument({ version: '1.2.3' }), document)
  })

  test('puts the origin before the base path and the problem pages', () => {
    const { servers, components } = openApiDocument({
      version: '1',
      serverUrl: 'https://collect.example/',
    })
    assert.equal(servers[0]?.url, 'https://collect.example/api/v1')
    assert.equal(
      resolvePointer(
        components.responses.Invalid,
        '/content/application~1problem+json/examples/invalid/value/type',
      ),
      'https://collect.example/problems/invalid',
    )
  })
})

describe('the answers of an operation', () => {
  test('are called files where they are nothing else', () => {
    for (const [pointer, { responses }] of operationObjects) {
      const { description, content } = ((responses as Json)['200'] ?? {}) as Json
      if (!isObject(content)) continue
      const isFile = Object.keys(content).every((type) => !type.includes('json'))
      assert.equal(/file/.test(String(description)), isFile, pointer)
    }
  })

  const everywhere = ['400', '406', '429', '431', '500', '503']
  const cases: [name: string, statuses: string][] = [
    ['login', '200 400 401 406 413 415 429 431 500 503'],
    ['logout', '200 400 401 403 406 429 431 500 503'],
    ['getSystemInformation', '200 400 401 403 406 429 431 500 503'],
    ['listDebtors', '200 400 401 403 406 429 431 500 503'],
    ['createDebtor', '200 201 400 401 403 406 409 413 415 422 429 431 500 503'],
    ['getDebtor', '200 400 401 403 404 406 429 431 500 503'],
    ['updateDebtor', '200 400 401 403 404 406 409 412 413 415 422 429 431 500 503'],
    ['deleteAddress', '200 400 401 403 404 406 412 429 431 500 503'],
  ]
  for (const [name, statuses] of cases) {
    test(`of ${name}`, () => assert.equal(listStatuses(name), statuses))
  }

  test('are those of every operation, and of signed-in ones unless it is public', () => {
    for (const { name, access, params, basic } of operations) {
      const statuses = listStatuses(name).split(' ')
      for (const status of everywhere) assert.ok(statuses.includes(status), `${name} lacks ${status}`)
      assert.equal(statuses.includes('403'), access !== 'public', name)
      if (access !== 'public') assert.ok(statuses.includes('401'), name)
      if (params !== undefined) assert.ok(statuses.includes('404'), name)
      const anonymous = basic ? [{ basic: [] }, {}] : []
      assert.deepEqual(findOperationObject(name).security, access === 'public' ? anonymous : undefined)
    }
  })

  test('have an example for each kind under its status', () => {
    for (const [name, response] of Object.entries(wire.components as Record<string, Json>).flatMap(
      ([kind, members]) => (kind === 'responses' ? Object.entries(members as Record<string, Json>) : []),
    )) {
      const media = (response.content as Record<string, Json>)['application/problem+json']
      for (const [kind, { value }] of Object.entries(media?.examples as Record<string, { value: Json }>)) {
        assert.equal(value.status, problems[kind as keyof typeof problems][0], name)
        assert.equal(value.type, `/problems/${kind}`)
      }
    }
  })

  test('carry the headers of their kind', () => {
    assert.deepEqual(listHeaders('createDebtor', 201).toSorted(), [
      'ETag',
      'Idempotency-Replayed',
      'Location',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'X-Request-Id',
    ])
    assert.ok(listHeaders('getDebtor', 200).includes('ETag'))
    assert.ok(!listHeaders('deleteAddress', 200).includes('ETag'))
    assert.ok(!listHeaders('listDebtors', 200).includes('ETag'))
    assert.ok(problemResponses('PreconditionFailed', 'ETag'))
    assert.ok(
      problemResponses('ConflictOrIdempotencyInFlight', 'Retry-After') &&
        !problemResponses('Conflict', 'Retry-After'),
    )
    assert.ok(
      problemResponses('TooManyRequests', 'RateLimit-Remaining') &&
        problemResponses('Invalid', 'RateLimit-Reset'),
    )
    assert.ok(!problemResponses('Unauthenticated', 'RateLimit-Remaining'))
  })
})

describe('the request of an operation', () => {
  test('has the headers of its kind', () => {
    assert.deepEqual(listParameters('createDebtor'), [
      'X-Allow-Duplicate',
      'Idempotency-Key',
      'dryRun',
      'X-Request-Id',
    ])
    assert.deepEqual(listParameters('updateDebtor'), [
      'debtorGuid',
      'X-Allow-Duplicate',
      'If-Match',
      'dryRun',
      'X-Request-Id',
    ])
    assert.deepEqual(listParameters('getDebtor'), ['debtorGuid', 'X-Request-Id'])
    assert.deepEqual(listParameters('logout'), ['X-Request-Id'])
    assert.deepEqual(listParameters('listDebtors'), ['$filter', '$orderby', '$skip', '$top', 'X-Request-Id'])
  })

  test('lists the permitted callers', () => {
    assert.deepEqual(findOperationObject('createAddress')['x-access'], {
      kind: 'codes',
      codes: ['debtor.write'],
      roles: [14],
    })
    assert.match(
      String(findOperationObject('createAddress').description),
      /Access: `debtor\.write`, which the roles 1, 2, 3 bring\. Also admitted: role 14 \(Field collector\)\./,
    )
  })

  const ajv = createAjv()
  ajv.addSchema(wire, 'document')
  const change = ajv.compile({ $ref: 'document#/components/schemas/DebtorChange' })
  for (const [dateOfBirth, valid] of [
    ['1990-01-01', true],
    ['1990-01-01T00:00:00Z', true],
    ['1990-01-01T00:00:00.5+01:00', true],
    ['', true],
    [null, true],
    ['1990-01-01T00:00:00', false],
    ['tomorrow', false],
    [19900101, false],
  ] as const) {
    test(`${valid ? 'takes' : 'refuses'} the date ${JSON.stringify(dateOfBirth)}`, () => {
      assert.equal(change({ dateOfBirth }), valid)
    })
  }
})

describe('examples made from a schema', () => {
  const leaf: fc.Arbitrary<TSchema> = fc.oneof(
    fc
      .record({ minLength: fc.nat(5), extra: fc.nat(20) })
      .map(({ minLength, extra }) => Type.String({ minLength, maxLength: minLength + extra })),
    fc.constantFrom('date-time', 'date', 'uuid', 'email', 'uri').map((format) => Type.String({ format })),
    fc
      .record({ minimum: fc.integer(), extra: fc.nat() })
      .map(({ minimum, extra }) => Type.Integer({ minimum, maximum: minimum + extra })),
    fc.constant(Type.Boolean()),
    fc.string().map((text) => Type.Literal(text)),
    fc.constant(Type.Null()),
  )
  // Includes names from the table, whose entries must not be used where they are invalid.
  const name = fc.constantFrom('gender', 'street', 'debtorGuid', 'count', 'validTo', 'Ö', 'links')
  const { schema } = fc.letrec<{ schema: TSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      tie('schema').map((items) => Type.Array(items)),
      tie('schema').map((values) => Type.Record(Type.String(), values)),
      tie('schema').map((branch) => Type.Union([branch, Type.Null()])),
      fc.dictionary(name, tie('schema'), { maxKeys: 3 }).map((members) => Type.Object(members)),
    ),
  }))

  test('are valid, also against the schema in the document', () => {
    fc.assert(
      fc.property(schema, (source) => {
        const ajv = createAjv()
        const example = createExample(source)
        assert.ok(ajv.validate(source, example), `${JSON.stringify([source, example])} ${ajv.errorsText()}`)
        for (const direction of ['request', 'response'] as const) {
          const shown = new SchemaCollection().include(source, direction)
          assert.ok(ajv.validate(shown, example), `${JSON.stringify([shown, example])} ${ajv.errorsText()}`)
        }
      }),
      { numRuns: 200 },
    )
  })
})
