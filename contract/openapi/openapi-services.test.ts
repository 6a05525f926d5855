import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from './openapi.ts'
import type { DescribedService } from './openapi-services.ts'
import { withServices } from './openapi-services.ts'

const shipped = openApiDocument({ version: '1.2.3' })
const input = { type: 'object', required: ['limit'], properties: { limit: { type: 'integer' } } }
const services: DescribedService[] = [
  { code: 'credit-check', scope: 'debtor', description: 'Asks the register.', access: 'debtor.write', input },
  { code: 'tidy', scope: 'global', description: 'Tidies.', access: 'system.read', input: { type: 'object' } },
  { code: 'tidy', scope: 'user', description: 'Odd.', access: 'user.read', input: { $ref: '#/$defs/x' } },
]
const document = withServices(shipped, services)

test('each service of an installation is an operation with its own body', async () => {
  const { post } = document.paths['/debtors/{debtorGuid}/services/credit-check']!
  assert.equal(post!.operationId, 'invokeDebtorServiceCreditCheck')
  assert.deepEqual(post!.requestBody, {
    required: true,
    content: { 'application/json': { schema: input, example: { limit: 1 } } },
  })
  assert.match(post!.description!, /^Asks the register\.[\s\S]*`debtor\.write`/)
  const names = post!.parameters!.flatMap((parameter) => ('name' in parameter ? parameter.name : []))
  assert.deepEqual(names, ['debtorGuid', 'async'])
  assert.equal(document.paths['/debtors/services/tidy']!.post!.requestBody!.required, false)
  const odd = document.paths['/users/{userGuid}/services/tidy']!.post!
  assert.deepEqual(odd.requestBody!.content['application/json']!.schema, {
    $ref: '#/components/schemas/ServiceInput',
  })
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  assert.equal(valid, true, JSON.stringify(errors))
})

test('the shipped document stays as it is', () => {
  assert.deepEqual(shipped, openApiDocument({ version: '1.2.3' }))
  assert.equal(Object.keys(document.paths).length, Object.keys(shipped.paths).length + 3)
})
