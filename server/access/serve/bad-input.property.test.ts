/** Random input to every operation: never a server error, always an answer of the contract. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { operations } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let debtorGuid: string
before(async () => {
  api = await startApi()
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Berg' } })
  debtorGuid = made.body.debtorGuid
})
after(() => api.close())

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const nearTexts = [
  '',
  ' ',
  'SE',
  'sv-SE',
  'LEGAL',
  '19900101-2385',
  '+46701740605',
  'a@b.example',
  '2001-02-30',
  '0000-01-01',
  '9999-12-31T23:59:59-14:00',
  '2024-02-29T23:59:59.999999999+14:00',
  '\u0000',
  '\ud800',
  '٣',
]
const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(...nearTexts, null, 0, 1, -0, 2 ** 53, 1e308, true, false),
  },
  { weight: 2, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }) },
)

function arbitraryBody({ body }: Operation): fc.Arbitrary<string> {
  const known = Object.keys((body as { properties?: object } | undefined)?.properties ?? {})
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known, 'constructor', '__proto__', 'toString') },
    { weight: 1, arbitrary: anyText },
  )
  const object = fc.array(fc.tuple(name, value), { maxLength: 8 }).map((members) => {
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`).join()}}`
  })
  const any = fc.jsonValue({ stringUnit: 'binary' }).map((json) => JSON.stringify(json))
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 1, arbitrary: any },
    { weight: 1, arbitrary: anyText },
  )
}

const filterWords =
  "fullName city dateOfBirth underAged debtorGuid name defaultAddress nosuch eq ne gt lt and or not in has ( ) , 'Malmö' '100%' '''' 'a\\' 1 -1 1.5 1e38 null true 2001-02-28 2001-01-01T00:00:00Z contains( startswith( year( length( indexof( concat( tolower( now() desc asc"
    .split(' ')
    .concat(' ', '\u0000', '\ud83d')
const wordSoup = fc
  .array(fc.constantFrom(...filterWords), { maxLength: 12 })
  .map((words) => words.join(' ').toWellFormed())
const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('$filter', '$orderby', '$top', '$skip') },
        { weight: 1, arbitrary: fc.constantFrom('$select', '__proto__', 'constructor', '') },
      ),
      fc.oneof(wordSoup, fc.constantFrom('0', '1', '-1', '100', '2147483647', '1e3', ''), anyText),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`).join('&'))

const pathPart = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: anyText.map((text) => text.toWellFormed()) },
)

const runs = 60

for (const operation of operations) {
  test(`${operation.id} ${operation.name}`, async () => {
    const request = fc.tuple(arbitraryBody(operation), query, pathPart)
    await fc.assert(
      fc.asyncProperty(request, async ([raw, search, part]) => {
        // One or two dots are a path step, not a name, for whatever library sends them.
        const given = part === '.' || part === '..' ? '' : encodeURIComponent(part)
        const path = operation.path.replace(
          /:(\w+)/g,
          (_, name) => given || (name === 'name' ? 'x' : debtorGuid),
        )
        const answer = await api.call(operation.method, `${path}?${search}`, {
          token: api.token,
          ...(operation.method !== 'GET' && { raw, headers: { 'content-type': 'application/json' } }),
        })
        assert.ok(answer.status < 500, answer.text)
        // Stop using a session that has just ended itself.
        if (operation.id === 'logout' && answer.status === 200) api.token = await api.signIn(2)
      }),
      { numRuns: runs },
    )
  })
}
