/**
 * `/odata` read by client libraries of others, and `$metadata` against the XML schemas of OASIS. Skipped without them, for
 * nothing here needs them: `FORDRA_ODATA_CLIENTS` names a folder with
 * - `node_modules`: `npm install o.js@2.0.0 @odata/client@2.21.10 @sap-ux/edmx-parser@0.10.0`
 * - `schemas`: `edm.xsd` and `edmx.xsd` of https://github.com/oasis-tcs/odata-csdl-schemas, for the program `xmllint`
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { CreatedUser } from '../../../contract/access/users.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

const folder = process.env['FORDRA_ODATA_CLIENTS']
const names = Array.from({ length: 25 }, (_, index) => `O'Brien & ${String(index).padStart(2, '0')}`)

type Row = Record<string, unknown>

const load = (name: string): unknown => createRequire(join(folder!, 'package.json'))(name)

describe('clients of others', { skip: folder === undefined && 'FORDRA_ODATA_CLIENTS is not set' }, () => {
  let api: TestApi
  let credentials: { clientId: string; clientSecret: string }
  let root: string

  before(async () => {
    api = await startApi()
    root = `${api.address}/odata/`
    const field = { entity: 'debtor', code: 'riskClass', type: 'integer', textEn: 'Risk class' }
    await api.call('POST', '/system/forms/field/create', { body: field })
    for (const [index, lastname] of names.entries()) {
      const body = { lastname, riskClass: index }
      const made = await api.call('POST', '/system/forms/debtor/create', { body })
      assert.equal(made.status, 201, made.text)
    }
    const { body } = await api.call<Required<CreatedUser>>('POST', '/users', {
      body: {
        partyReferenceCode: 'AGENCY',
        email: 'powerbi@agency.example',
        fullName: 'Power BI',
        userRole: 2,
        apiUser: true,
      },
    })
    credentials = body
  })
  after(() => api.close())

  test('o.js filters, sorts, selects, and follows next links', async () => {
    const { o } = load('o.js') as {
      o: (root: string, config: object) => { get(path: string): { query(options: object): Promise<Row[]> } }
    }
    const { clientId, clientSecret } = credentials
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const config = { headers: { Authorization: basic, Prefer: 'odata.maxpagesize=10' }, fragment: 'value' }
    const rows = await o(root, config)
      .get('Debtors')
      .query({ $select: 'fullName,riskClass', $orderby: 'riskClass desc', $top: 3 })
    assert.deepEqual(
      rows,
      [24, 23, 22].map((riskClass) => ({ fullName: names[riskClass], riskClass })),
    )
    const found = await o(root, config).get('Debtors').query({ $filter: "fullName eq 'O''Brien & 07'" })
    assert.deepEqual(
      found.map(({ riskClass }) => riskClass),
      [7],
    )
  })

  interface Answer {
    '@odata.count'?: number
    '@odata.nextLink'?: string
    value: Row[]
  }
  interface Filter {
    property(name: string): { gt(value: number): Filter; startsWith(text: string): Filter }
  }
  interface Parameters {
    filter(filter: Filter): Parameters
    orderby(name: string, order?: string): Parameters
    top(count: number): Parameters
    skip(count: number): Parameters
    count(wanted: boolean): Parameters
    select(names: string[]): Parameters
  }
  interface ODataClient {
    newFilter(): Filter
    newParam(): Parameters
    newRequest(request: { collection: string; id?: unknown; params?: Parameters }): Promise<Answer & Row>
  }

  test('@odata/client counts, filters, and reads an entity by its key', async () => {
    const { OData, EdmV4 } = load('@odata/client') as {
      OData: { New4(options: object): ODataClient }
      EdmV4: { Guid: { from(text: string): unknown } }
    }
    const client = OData.New4({
      serviceEndpoint: root,
      credential: { username: credentials.clientId, password: credentials.clientSecret },
    })
    const params = client
      .newParam()
      .filter(client.newFilter().property('riskClass').gt(20))
      .orderby('riskClass', 'asc')
      .select(['debtorGuid', 'fullName', 'riskClass'])
      .top(2)
      .count(true)
    const answer = await client.newRequest({ collection: 'Debtors', params })
    assert.equal(answer['@odata.count'], 4)
    assert.deepEqual(
      answer.value.map(({ riskClass }) => riskClass),
      [21, 22],
    )
    const guid = String(answer.value[0]!['debtorGuid'])
    const one = await client.newRequest({ collection: 'Debtors', id: EdmV4.Guid.from(guid) })
    assert.equal(one['fullName'], names[21])
  })

  const readMetadata = async () => {
    const response = await fetch(`${root}$metadata`, { headers: { authorization: `Bearer ${api.token}` } })
    return response.text()
  }

  test('the parser of SAP reads $metadata, with custom fields', async () => {
    const { parse } = load('@sap-ux/edmx-parser') as {
      parse(xml: string): {
        schema: { entityTypes: { name: string; keys: Row[]; entityProperties: Row[] }[] }
      }
    }
    const { schema } = parse(await readMetadata())
    const debtor = schema.entityTypes.find(({ name }) => name === 'Debtor')!
    assert.deepEqual(
      debtor.keys.map(({ name }) => name),
      ['debtorGuid'],
    )
    const findType = (member: string) => debtor.entityProperties.find(({ name }) => name === member)?.['type']
    assert.deepEqual([findType('riskClass'), findType('dateOfBirth')], ['Edm.Int32', 'Edm.Date'])
  })

  test('$metadata is valid by the XML schemas of OASIS', async () => {
    const schema = join(folder!, 'schemas', 'edmx.xsd')
    const check = (input: string) =>
      spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, '-'], { input, encoding: 'utf8' })
    const metadata = await readMetadata()
    const right = check(metadata)
    assert.equal(right.status, 0, right.stderr)
    const wrong = check(metadata.replace('Edm.Guid', 'Guid of mine'))
    assert.notEqual(wrong.status, 0, 'a wrong type is noticed')
  })
})
