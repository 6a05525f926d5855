/**
 * `/scim/v2` beside programs of others: their schemas read our answers, their filters and changes give the same results.
 * Skipped without them, for nothing here needs them: `FORDRA_SCIM_CLIENTS` names a folder with `node_modules` of
 * `npm install scimmy@1.3.5 scim-patch@0.8.3 scim2-parse-filter@0.2.10`.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openDirectory, type Directory } from './directory-for-tests.ts'

const folder = process.env['FORDRA_SCIM_CLIENTS']
const load = (name: string): unknown => createRequire(join(folder!, 'package.json'))(name)

type Row = Record<string, unknown>
interface Scimmy {
  Schemas: Record<'User' | 'Group', new (resource: Row, direction: string) => Row>
}

const attributes = ['userName', 'displayName', 'externalId', 'emails.value', 'name.familyName'] as const
const values = ['a', 'An', 'anna1@agency.example', 'x-1', 'Öst', 'zzz', '1']
const condition = fc
  .tuple(fc.constantFrom(...attributes), fc.constantFrom('eq', 'co', 'sw', 'ew'), fc.constantFrom(...values))
  .map(([attribute, comparison, value]) => `${attribute} ${comparison} "${value}"`)
const filters = fc.oneof(
  condition,
  fc.tuple(condition, fc.constantFrom('and', 'or'), condition).map((parts) => parts.join(' ')),
  fc.tuple(condition, condition, condition).map(([a, b, c]) => `${a} and (${b} or ${c})`),
  condition.map((one) => `active eq true and not (${one})`),
)

const lower = (text: string) => text.toLowerCase()
const sorted = (members: { value: string }[]) => [...new Set(members.map(({ value }) => value))].toSorted()

describe('programs of others', { skip: folder === undefined && 'FORDRA_SCIM_CLIENTS is not set' }, () => {
  let api: TestApi
  let scim: Directory
  const users: string[] = []

  before(async () => {
    api = await startApi()
    scim = await openDirectory(api, { userRole: 2 })
    for (let at = 1; at <= 12; at++) {
      const { status, body, text } = await scim.call('POST', '/Users', {
        userName: `anna${at}@agency.example`,
        displayName: `Anna Öst ${at}`,
        externalId: at % 2 ? `x-${at}` : undefined,
        name: { givenName: 'Anna', familyName: at % 3 ? 'Öst' : 'Ek' },
        active: at % 4 !== 0,
      })
      assert.equal(status, 201, text)
      users.push(body['id'] as string)
    }
  })
  after(() => api.close())

  const list = async (path: string) => (await scim.call('GET', path)).body['Resources'] as Row[]

  test("SCIMMY's schemas accept every resource", async () => {
    const { Schemas } = load('scimmy') as Scimmy
    const group = await scim.call('POST', '/Groups', {
      displayName: 'All',
      members: users.map((value) => ({ value })),
    })
    assert.equal(group.status, 201, group.text)
    for (const user of await list('/Users')) {
      const read = new Schemas.User(user, 'out')
      for (const name of ['userName', 'displayName', 'active', 'emails', 'externalId'])
        assert.deepEqual(JSON.parse(JSON.stringify(read[name] ?? null)), user[name] ?? null, name)
    }
    const read = new Schemas.Group(group.body, 'out')
    assert.equal((read['members'] as unknown[]).length, users.length)
  })

  test("scim2-parse-filter's filters find the same users", async () => {
    const { parse, filter: makeFilter } = load('scim2-parse-filter') as {
      parse: (text: string) => object
      filter: (ast: object) => (row: Row) => boolean
    }
    // It compares letter cases, which RFC 7643 does only for identifiers.
    const all = JSON.parse(JSON.stringify(await list('/Users?count=200')), (_name, value: unknown) =>
      typeof value === 'string' ? lower(value) : value,
    ) as Row[]
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const found = await list(`/Users?count=200&${new URLSearchParams({ filter })}`)
        const expected = all.filter(makeFilter(parse(filter.replaceAll(/"[^"]*"/g, lower))))
        assert.deepEqual(
          found.map(({ id }) => id),
          expected.map(({ id }) => id),
          filter,
        )
      }),
      { numRuns: 150 },
    )
  })

  test("scim-patch's changes of members give the same group", async () => {
    const { scimPatch } = load('scim-patch') as { scimPatch: (resource: Row, operations: Row[]) => Row }
    const member = fc.constantFrom(...users)
    const operation = fc.oneof(
      fc.array(member, { minLength: 1, maxLength: 4 }).map((ids) => ({
        op: 'add',
        path: 'members',
        value: [...new Set(ids)].map((value) => ({ value })),
      })),
      fc.array(member, { maxLength: 4 }).map((ids) => ({
        op: 'replace',
        path: 'members',
        value: [...new Set(ids)].map((value) => ({ value })),
      })),
      member.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 4 }), async (operations) => {
        const start = users.slice(0, 6).map((value) => ({ value }))
        const group = await scim.call('POST', '/Groups', { displayName: `Drawn`, members: start })
        assert.equal(group.status, 201, group.text)
        const id = group.body['id'] as string
        const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
        const changed = await scim.call('PATCH', `/Groups/${id}`, { schemas, Operations: operations })
        assert.equal(changed.status, 204, changed.text)
        const ours = (await scim.call('GET', `/Groups/${id}`)).body['members'] as { value: string }[]
        // It keeps an empty list where RFC 7644 has none, and then no longer finds it.
        const patched = operations.reduce<Row>(
          (resource, one) => scimPatch({ members: [], ...resource }, [one]),
          { members: start },
        )
        const theirs = (patched['members'] ?? []) as { value: string }[]
        assert.deepEqual(sorted(ours), sorted(theirs), JSON.stringify(operations))
        assert.equal((await scim.call('DELETE', `/Groups/${id}`)).status, 204)
      }),
      { numRuns: 40 },
    )
  })
})
