import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forms } from '../metadata/all-forms.ts'
import { operationsOfForms } from '../metadata/form-operations.ts'
import { eventTypes } from '../platform/event-types.ts'
import { withCustomFields } from './openapi-custom-fields.ts'
import type { JsonSchema, OpenApiDocument, OperationObject } from './openapi-document.ts'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument({ version: '1.2.3' })
const nameForm = ({ entity, type }: { entity: string; type: string }) => `${entity}/${type}`
const listOperations = ({ paths, webhooks }: OpenApiDocument) =>
  Object.values({ ...paths, ...webhooks }).flatMap((item) => Object.values(item) as OperationObject[])

/** The schema of the body of a form's operation. */
function readBody(from: OpenApiDocument, path: string, method: 'post' | 'patch'): JsonSchema {
  const { schema } = from.paths[path]![method]!.requestBody!.content['application/json']!
  return from.components.schemas[String(schema.$ref).split('/').at(-1)!]!
}

const has = (from: OpenApiDocument, path: string, method: 'post' | 'patch') =>
  'segment' in (readBody(from, path, method)['properties'] as object)

describe('the operations of forms', () => {
  test('are there for every form and each of its methods, with names of their own', () => {
    assert.deepEqual(
      operationsOfForms.map(({ form }) => nameForm(form)).toSorted(),
      forms.map(nameForm).toSorted(),
    )
    for (const { form, operations } of operationsOfForms)
      assert.deepEqual(
        operations.map(({ method }) => method),
        [
          'GET',
          form.submit.method,
          ...(form.remove && form.record !== undefined ? ['DELETE'] : form.removes ? ['DELETE'] : []),
        ],
        nameForm(form),
      )
    const ids = listOperations(document).map(({ operationId }) => operationId)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('demand what the form demands, and write a list as one text', () => {
    const register = readBody(document, '/system/forms/case/register', 'post')
    assert.deepEqual(register['required'], ['clientGuid', 'debtorGuid', 'principal'])
    const members = register['properties'] as Record<string, JsonSchema>
    assert.equal(members['principal']!['type'], 'number')
    assert.deepEqual(members['interest']!['type'], ['number', 'null'])
    assert.equal(register['additionalProperties'], false)
    assert.equal(readBody(document, '/system/forms/client/edit', 'patch')['required'], undefined)
    const groups = readBody(document, '/system/forms/accessgroup/create', 'post')
    assert.deepEqual((groups['properties'] as Record<string, JsonSchema>)['accessCodes']!['type'], [
      'string',
      'null',
    ])
  })

  test('have the custom fields of the installation', () => {
    const own = new Map([
      ['debtor', { segment: { type: ['string', 'null'], maxLength: 20, title: 'Segment' } }],
    ])
    const custom = withCustomFields(document, own)
    assert.ok(
      has(custom, '/system/forms/debtor/create', 'post') && has(custom, '/system/forms/debtor/edit', 'patch'),
    )
    assert.ok(!has(custom, '/system/forms/client/create', 'post'))
    assert.ok(!has(document, '/system/forms/debtor/create', 'post'))
    const shown = custom.components.schemas['GetDebtorEditValuesValues']!['properties'] as object
    assert.ok('segment' in shown)
  })
})

test('every type of event is a webhook, with its signature and an example of its data', () => {
  assert.deepEqual(Object.keys(document.webhooks), [...eventTypes])
  const { post } = document.webhooks['case.closed']!
  assert.deepEqual(
    post!.parameters!.map((parameter) => 'name' in parameter && parameter.name),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  )
  const { data } = post!.requestBody!.content['application/json']!.example as { data: object }
  assert.deepEqual(Object.keys(data), ['caseGuid', 'status', 'subStatus', 'closureCode'])
})

test('operations have the tag of their resource, and every tag has operations', () => {
  const used = new Set(listOperations(document).flatMap(({ tags }) => tags))
  assert.deepEqual(document.tags.map(({ name }) => name).toSorted(), [...used].toSorted())
  const tagOf = (id: string) => listOperations(document).find(({ operationId }) => operationId === id)!.tags
  assert.deepEqual(tagOf('registerCase'), ['Cases'])
  assert.deepEqual(tagOf('createPaymentPlan'), ['Payment plans'])
  assert.deepEqual(tagOf('requestToken'), ['Sign-in'])
})

test('readers meet no number of the specification, and no enumeration with null in it', () => {
  const numbered: string[] = []
  const mixed: string[] = []
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, child] of Object.entries(value)) {
      if (['description', 'summary', 'title'].includes(name) && /\b[SUD]\d{1,2}\b/.test(String(child)))
        numbered.push(`${at}: ${String(child)}`)
      if (name === 'enum' && Array.isArray(child) && child.includes(null)) mixed.push(at)
      walk(child, `${at}/${name}`)
    }
  }
  walk(document, '')
  assert.deepEqual(numbered, [])
  assert.deepEqual(mixed, [])
})
