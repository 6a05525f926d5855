import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { operations } from '../api.ts'
import { openApiDocument } from './openapi.ts'
import { postmanCollection, type PostmanRequest } from './postman.ts'

const collection = postmanCollection(openApiDocument({ version: '1.2.3' }), 'https://agency.example/')
const requests = collection.item.flatMap(({ item }) => item)

const text = { type: 'string' }
const values = {
  type: 'array',
  items: {
    type: 'object',
    required: ['key', 'value'],
    properties: { key: text, value: text, description: text, disabled: { type: 'boolean' } },
    additionalProperties: false,
  },
}
/** The parts of the published schema of format 2.1 that our collection uses, without additional members. */
const format = {
  type: 'object',
  required: ['info', 'item'],
  additionalProperties: false,
  properties: {
    info: {
      type: 'object',
      required: ['name', 'schema'],
      properties: {
        name: text,
        description: text,
        version: text,
        schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      },
      additionalProperties: false,
    },
    auth: { type: 'object', required: ['type', 'bearer'], properties: { type: { const: 'bearer' } } },
    variable: values,
    item: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'item'],
        additionalProperties: false,
        properties: {
          name: text,
          description: text,
          item: { type: 'array', items: { $ref: '#/$defs/request' } },
        },
      },
    },
  },
  $defs: {
    request: {
      type: 'object',
      required: ['name', 'request', 'response'],
      additionalProperties: false,
      properties: {
        name: text,
        response: { type: 'array' },
        event: {
          type: 'array',
          items: {
            type: 'object',
            required: ['listen', 'script'],
            properties: {
              listen: { enum: ['test', 'prerequest'] },
              script: { type: 'object', properties: { exec: { type: 'array', items: text } } },
            },
          },
        },
        request: {
          type: 'object',
          required: ['method', 'url', 'header'],
          additionalProperties: false,
          properties: {
            method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
            description: text,
            auth: { type: 'object', properties: { type: { enum: ['noauth', 'bearer'] } } },
            header: values,
            url: {
              type: 'object',
              additionalProperties: false,
              required: ['raw', 'host', 'path'],
              properties: {
                raw: text,
                host: { type: 'array', items: text },
                path: { type: 'array', items: text },
                query: values,
                variable: values,
              },
            },
            body: {
              type: 'object',
              required: ['mode'],
              properties: { mode: { enum: ['raw', 'urlencoded'] } },
            },
          },
        },
      },
    },
  },
}

const named = (summary: string): PostmanRequest => requests.find(({ name }) => name === summary)!
const summaryOf = (name: string) => operations.find((operation) => operation.name === name)!.summary

describe('the Postman collection', () => {
  test('is valid for its format', () => {
    const check = new Ajv({ allErrors: true }).compile(format)
    assert.equal(check(collection), true, JSON.stringify(check.errors, null, 2))
    const broken = structuredClone(collection) as unknown as { item: { item: { request: object }[] }[] }
    broken.item[0]!.item[0]!.request = {}
    assert.equal(check(broken), false)
  })

  test('has every operation once, at its address, with each path parameter', () => {
    assert.equal(requests.length, operations.length)
    const addresses = requests.map(({ request }) => `${request.method} ${request.url.raw}`)
    for (const { method, path } of operations)
      assert.ok(addresses.includes(`${method} {{baseUrl}}${path}`), path)
    for (const { request } of requests) {
      const inPath = request.url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
      assert.deepEqual(request.url.variable.map(({ key }) => key).toSorted(), inPath.toSorted())
      for (const { value } of request.url.variable) assert.notEqual(value, '')
    }
    assert.equal(collection.variable[0]!.value, 'https://agency.example/api/v1')
  })

  test('sends bodies that are JSON, or the form that an operation accepts', () => {
    const bodies = requests.flatMap(({ request: { body } }) => body ?? [])
    assert.ok(bodies.length > 30)
    for (const body of bodies) if (body.mode === 'raw') assert.equal(typeof JSON.parse(body.raw), 'object')
    const token = named(summaryOf('requestToken')).request
    assert.equal(token.body?.mode, 'urlencoded')
    assert.ok(token.header.some(({ value }) => value === 'application/x-www-form-urlencoded'))
  })

  test('stores the token of a sign-in, and sends none to public operations', () => {
    const keeping = requests.filter(({ event }) => event).map(({ name }) => name)
    for (const name of ['login', 'refresh', 'requestToken', 'signInWithCode'])
      assert.ok(keeping.includes(summaryOf(name)), name)
    assert.deepEqual(named(summaryOf('login')).request.auth, { type: 'noauth' })
    assert.equal(named(summaryOf('listDebtors')).request.auth, undefined)
    const key = named(summaryOf('createDebtor')).request.header.find(
      (header) => header.key === 'Idempotency-Key',
    )
    assert.equal(key?.disabled, true)
  })
})
