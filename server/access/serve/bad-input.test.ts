/** Wrong input in a body, a query or a path. `bad-http.test.ts` covers what needs a raw socket. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DebtorInput } from '../../../contract/parties/debtors.ts'
import { problems, type ProblemKind } from '../../../contract/platform/problem.ts'
import { startApi, type CallOptions, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
let debtor: string
before(async () => {
  api = await startApi()
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Berg' } })
  debtor = `/debtors/${made.body.debtorGuid}`
})
after(() => api.close())

const json = { 'content-type': 'application/json' }
const bytes = (...values: number[]) => new Uint8Array(values)
const lastname = (inside: string) => `{"lastname":"${inside}"}`
const brackets = (count: number) => `{"lastname":${'['.repeat(count - 1)}${']'.repeat(count - 1)}}`

/** A body for D2, its error, and the expected message. */
const bodies: [about: string, raw: string | Uint8Array<ArrayBuffer>, says: RegExp][] = [
  ['an unfinished object', '{"lastname":', /not well-formed JSON/],
  ['names without quotes', '{lastname:"x"}', /not well-formed JSON at character 1/],
  ['single quotes', "{'lastname':'x'}", /not well-formed JSON/],
  ['a comma too many', '{"lastname":"x",}', /not well-formed JSON/],
  ['something after the end', '{"lastname":"x"}}', /not well-formed JSON/],
  ['NaN', '{"juridicalType":NaN}', /not well-formed JSON/],
  ['a line break inside a text', lastname('a\nb'), /not well-formed JSON/],
  ['a bare NUL', lastname('a\0b'), /not well-formed JSON/],
  ['nothing', '', /needs a JSON object/],
  ['blanks', ' \n ', /blank/],
  ['null', 'null', /needs a JSON object/],
  ['an array', '[]', /must be an object/],
  ['a text', '"Berg"', /must be an object/],
  ['a number', '1', /must be an object/],
  ['32 levels, of the wrong type', brackets(32), /lastname must be a text/],
  ['33 levels', brackets(33), /deeper than 32 levels/],
  ['a depth bomb of arrays', brackets(100_000), /deeper than 32 levels/],
  ['an unfinished depth bomb', '['.repeat(100_000), /deeper than 32 levels/],
  ['a depth bomb of objects', '{"a":'.repeat(100_000), /deeper than 32 levels/],
  ['an unknown member', '{"lastname":"x","surname":"y"}', /surname is not known here\. Known are .*lastname/],
  ['a member of the answer only', '{"lastname":"x","regDate":"2026-01-01"}', /regDate is not known/],
  ['__proto__', '{"lastname":"x","__proto__":{"admin":true}}', /__proto__/],
  ['a disguised __proto__', '{"lastname":"x","\\u005f_proto__":{"admin":true}}', /__proto__/],
  ['constructor', '{"lastname":"x","constructor":{"prototype":{}}}', /a member named constructor/],
  [
    'constructor further in',
    '{"lastname":"x","extraFields":[{"constructor":1}]}',
    /a member named constructor/,
  ],
  ['a disguised constructor', '{"lastname":"x","\\u0063onstructor":{}}', /a member named constructor/],
  ['a member twice', '{"lastname":"x","lastname":"y"}', /the member lastname twice/],
  ['a disguised member twice', '{"lastname":"x","\\u006castname":"y"}', /the member lastname twice/],
  [
    'a member twice further in',
    '{"lastname":"a:b","c":[{"d":{"e":1,"f\\"":2,"f\\"" : 3}}]}',
    /the member f\\" twice/,
  ],
  ['toString', '{"lastname":"x","toString":1}', /toString is not known/],
  ['hasOwnProperty', '{"lastname":"x","hasOwnProperty":1}', /hasOwnProperty is not known/],
  ['an escaped NUL', lastname('a\\u0000b'), /lastname has a NUL/],
  ['an escaped NUL in a name', '{"last\\u0000name":"x"}', /name is not valid text/],
  ['an escaped control character', lastname('a\\u0007b'), /one line without control characters/],
  ['half a surrogate pair', lastname('\\ud800'), /half a surrogate pair/],
  ['the other half', lastname('\\udc00\\ud800'), /half a surrogate pair/],
  ['Latin-1', bytes(0x7b, 0x22, 0xe5, 0x22, 0x3a, 0x31, 0x7d), /not UTF-8/],
  ['a surrogate in UTF-8', bytes(0x22, 0xed, 0xa0, 0x80, 0x22), /not UTF-8/],
  ['UTF-16', bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), /not UTF-8/],
  ['a number past 2^53', '{"juridicalType":9007199254740993}', /juridicalType must be one of 0, 1/],
  ['a number past a double', '{"juridicalType":1e400}', /juridicalType must be/],
  ['a fraction', '{"gender":1.5}', /gender must be a whole number/],
  ['an unknown code', '{"gender":3}', /gender must be one of 0, 1, 2/],
  ['no name at all', '{}', /lastname is required when fullName is not given\. Send a lastname/],
  ['a text that is too long', lastname('x'.repeat(101)), /at most 100 characters/],
]
const dates: [value: string, says: RegExp][] = [
  ['0000-01-01', /must be a date-time with an offset/],
  ['0001-01-01', /must be from 1 Jan 1800 to the system date/],
  ['9999-12-31', /must be from 1 Jan 1800 to the system date/],
  ['10000-01-01', /must be a date-time/],
  ['2001-02-30', /must be a date-time/],
  ['1900-02-29', /must be a date-time/],
  ['2001-01-01T24:00:00Z', /must be a date-time/],
  ['2001-01-01T23:59:60Z', /must be a date-time/],
  ['2001-01-01T10:00:00', /with an offset such as/],
  ['2001-01-01T10:00:00+25:00', /must be a date-time/],
  ['2001-1-1', /must be a date-time/],
  ['01/02/2001', /must be a date-time/],
  ['infinity', /must be a date-time/],
]

describe('a body', () => {
  for (const [about, raw, says] of bodies) {
    test(`with ${about}`, async () => {
      assertProblem(await api.call('POST', '/debtors', { raw, headers: json }), 'invalid', says)
    })
  }

  test('with an invalid date', async () => {
    for (const [dateOfBirth, says] of dates) {
      const answer = await api.call('POST', '/debtors', { body: { lastname: 'x', dateOfBirth } })
      assertProblem(answer, 'invalid', says, dateOfBirth)
    }
  })

  test('with members of the wrong type names each one', async () => {
    for (const [name, schema] of Object.entries(DebtorInput.properties)) {
      const { type } = schema as unknown as { type: string[] }
      const wrong = [1.5, 1, true, 'yes', [], ['x'], {}, { a: 1 }].filter((value) => !isOfType(value, type))
      assert.ok(wrong.length >= 5)
      for (const value of wrong) {
        const answer = await api.call('POST', '/debtors', { body: { lastname: 'x', [name]: value } })
        assertProblem(answer, 'invalid', new RegExp(`"${name}":\\["must be `), JSON.stringify(value))
      }
    }
  })

  test('with many errors names all, up to a limit', async () => {
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`nr${number}`, number]))
    const answer = await api.call<{ errors: object }>('POST', '/debtors', { body: members })
    assertProblem(answer, 'invalid', /nr0 is not known here/)
    assert.ok(Object.keys(answer.body.errors).length <= 20)
  })

  test('over 1 MiB', async () => {
    const raw = lastname('x'.repeat(1_048_576))
    assertProblem(await api.call('POST', '/debtors', { raw }), 'payload-too-large', /1 MiB/)
    const just = await api.call('POST', '/debtors', { raw: lastname('x'.repeat(1_048_576 - 15)) })
    assertProblem(just, 'invalid', /at most 100 characters/)
  })

  test('null is refused where the body may be omitted', async () => {
    const path = '/system/commands/purge-expired'
    assertProblem(
      await api.call('POST', path, { raw: 'null', headers: json }),
      'invalid',
      /needs a JSON object/,
    )
  })

  test('constructor and __proto__ are refused where any name is allowed', async () => {
    for (const name of ['constructor', '__proto__']) {
      const raw = `{"columns":{"${name}":1}}`
      const answer = await api.call('PATCH', '/users/current/settings/lists/debtors', { raw, headers: json })
      assertProblem(answer, 'invalid', new RegExp(`a member named ${name}`))
    }
  })

  const types: [type: string, more: Record<string, string>][] = [
    ['text/plain', {}],
    ['application/xml', {}],
    ['application/jsonx', {}],
    ['application/merge-patch+json', {}],
    ['application/x-www-form-urlencoded', {}],
    ['multipart/form-data; boundary=x', {}],
    ['nonsense', {}],
    ['application/json; charset=latin1', {}],
    ['application/json; charset="utf-16"', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ]
  for (const [type, more] of types) {
    test(`as ${type} ${Object.values(more).join()}`, async () => {
      const options = { raw: '{"lastname":"x"}', headers: { 'content-type': type, ...more } }
      const answer = await api.call('POST', '/debtors', options)
      assertProblem(answer, 'unsupported-media-type', /JSON|application\/json/)
    })
  }

  test('without a content type', async () => {
    const answer = await api.call('POST', '/debtors', {
      raw: bytes(123, 125),
      headers: { 'content-type': '' },
    })
    assertProblem(answer, 'unsupported-media-type', /application\/json/)
  })

  test('in UTF-8 is read, however the charset is written', async () => {
    for (const type of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"']) {
      const options = { raw: '{"lastname":"Åström"}', headers: { 'content-type': type } }
      assert.equal((await api.call('POST', '/debtors', options)).status, 201, type)
    }
  })
})

function isOfType(value: unknown, types: string[]): boolean {
  if (types.includes('string')) return typeof value === 'string'
  if (types.includes('boolean')) return typeof value === 'boolean'
  return value === 1
}

const long = (length: number) => 'x'.repeat(length)
const queries: [query: string, says: RegExp][] = [
  ['$top=101', /\$top must be at most 100/],
  ['$top=-1', /\$top must be a whole number/],
  ['$top=1.5', /\$top must be a whole number/],
  ['$top=1e1', /\$top must be a whole number/],
  ['$top=', /\$top must be a whole number/],
  ['$top=%D9%A3', /\$top must be a whole number/],
  ['$top=5&$top=6', /\$top is given more than once/],
  ['$skip=abc', /\$skip must be a whole number/],
  ['$skip=-1', /\$skip must be a whole number/],
  ['$skip=2147483648', /\$skip must be at most 2147483647/],
  ['$skip=99999999999999999999', /\$skip must be a whole number/],
  ["$filter=city eq 'a'&$filter=city eq 'b'", /\$filter is given more than once/],
  ['$orderby=city&$orderby=fullName', /\$orderby is given more than once/],
  ['$select=city', /\$select is not known here\. Known are \$filter, \$orderby, \$skip, \$top/],
  ['top=1', /top is not known here/],
  ['$top[a]=1', /is not known here/],
  ['__proto__=1', /__proto__ is not known here/],
  ['constructor=1', /constructor is not known here/],
  ['toString=1', /toString is not known here/],
  ['%00=1', /is not known here/],
  ["$filter=nosuch eq 'x'", /\$filter.*position 0/],
  ["$filter=passwordHash eq 'x'", /\$filter.*position 0/],
  ["$filter=constructor eq 'x'", /\$filter.*position 0/],
  ["$filter=__proto__ eq 'x'", /\$filter.*position 0/],
  ['$filter=fullName', /\$filter/],
  ['$filter=fullName eq 1', /quotes/],
  ["$filter=fullName eq 'x'; drop table debtor", /\$filter/],
  ["$filter=fullName eq '", /\$filter/],
  ["$filter=fullName eq '%00'", /\$filter/],
  ["$filter=fullName eq '%ED%A0%80'", /\$filter/],
  [`$filter=${'('.repeat(100)}underAged${')'.repeat(100)}`, /\$filter.*32/],
  [`$filter=${'not '.repeat(900)}underAged`, /\$filter.*32/],
  [`$filter=fullName eq '${long(4000)}'`, /\$filter must have at most 4000 characters/],
  [`$filter=${'underAged or '.repeat(280)}underAged`, /\$filter.*400/],
  ['$filter=dateOfBirth eq 2001-02-30', /no such day/],
  ['$filter=dateOfBirth eq 2001-01-01T24:00:00Z', /no such time/],
  ['$filter=dateOfBirth eq 2001-01-01T10:00:00', /no offset/],
  ['$filter=dateOfBirth eq 0000-01-01', /no such day/],
  ['$filter=juridicalType eq 2147483648', /2147483647/],
  ['$orderby=nosuch', /\$orderby.*position 0/],
  ['$orderby=toString', /\$orderby.*position 0/],
  ['$orderby=fullName up', /\$orderby/],
  ['$orderby=fullName;drop table debtor', /\$orderby/],
  ['$orderby=fullName,,city', /\$orderby/],
  ['$orderby=%00', /\$orderby/],
  [`$orderby=${long(1001)}`, /\$orderby must have at most 1000 characters/],
]

describe('a query', () => {
  for (const [query, says] of queries) {
    test(query.slice(0, 60).replaceAll('%', '%%'), async () => {
      assertProblem(await api.call('GET', `/debtors?${query}`), 'invalid', says)
    })
  }

  test('is refused by operations that take none', async () => {
    assertProblem(await api.call('GET', '/system/information?a=1'), 'invalid', /a is not known here/)
    assertProblem(await api.call('GET', `${debtor}?$top=1`), 'invalid', /\$top is not known here/)
  })

  test('that is not percent-encoded UTF-8 is refused', async () => {
    for (const text of ['Malm%F6', 'Malm%ED%A0%80', '%zz', '%', '100%']) {
      const answer = await api.call('GET', `/debtors?$filter=city%20eq%20'${text}'`)
      assertProblem(answer, 'invalid', /\$filter has a malformed percent-encoding/, text)
    }
    assertProblem(await api.call('GET', '/debtors?%ff=1'), 'invalid', /malformed percent-encoding/)
    for (const text of ['Malm%C3%B6', '100%25']) {
      assert.equal((await api.call('GET', `/debtors?$filter=city%20eq%20'${text}'`)).status, 200, text)
    }
  })
})

const anyGuid = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
const field = (name: string) => `DEBTOR/extrafields/${name}`
const paths: [method: string, path: string, kind: ProblemKind, says: RegExp][] = [
  ['GET', '/debtors/abc', 'invalid', /debtorGuid must be a GUID such as/],
  ['GET', `/debtors/{${anyGuid}}`, 'invalid', /debtorGuid must be a GUID/],
  ['GET', '/debtors/%00', 'invalid', /debtorGuid must be a GUID/],
  ['GET', `/debtors/${anyGuid}%00`, 'invalid', /debtorGuid must be a GUID/],
  ['GET', `/debtors/${anyGuid}%0A`, 'invalid', /debtorGuid must be a GUID/],
  ['GET', '/debtors/..%2f..%2fetc%2fpasswd', 'invalid', /debtorGuid must be a GUID/],
  ['GET', `/debtors/1' or '1'='1`, 'invalid', /debtorGuid must be a GUID/],
  ['GET', `/debtors/${anyGuid}`, 'not-found', /no such debtor/],
  ['GET', '/debtors/', 'invalid', /debtorGuid must be a GUID/],
  ['GET', '/nosuch', 'not-found', /\/reference/],
  ['GET', '/Debtors', 'not-found', /\/reference/],
  ['POST', '/nosuch', 'not-found', /\/reference/],
  ['GET', '/debtors/%zz', 'invalid', /percent-encoding/],
  ['GET', '/debtors/%ff', 'invalid', /percent-encoding/],
  ['GET', '/debtors/%', 'invalid', /percent-encoding/],
  ['GET', '/debtors/%ED%A0%80', 'invalid', /percent-encoding/],
  ['GET', field('nosuch'), 'not-found', /no such extra field/],
  ['GET', field('%00'), 'invalid', /name must/],
  ['GET', field('a%00b'), 'invalid', /name must/],
  ['DELETE', field('a%00b'), 'invalid', /name must/],
  ['GET', field(long(100)), 'not-found', /no such extra field/],
  ['GET', field(long(101)), 'invalid', /name must have at most 100 characters/],
  ['GET', field(long(501)), 'not-found', /too long/],
  ['GET', field(long(10_000)), 'not-found', /too long/],
  ['GET', 'DEBTOR/addresses/1', 'invalid', /addressGuid must be a GUID/],
  ['PUT', '/debtors', 'method-not-allowed', /supports GET, HEAD, POST/],
  ['DELETE', '/debtors', 'method-not-allowed', /supports GET, HEAD, POST/],
  ['POST', `/debtors/${anyGuid}`, 'method-not-allowed', /supports GET, HEAD, PATCH/],
  ['PATCH', '/auth/login', 'method-not-allowed', /supports POST/],
  ['OPTIONS', '/debtors', 'method-not-allowed', /supports GET, HEAD, POST/],
]

describe('a path', () => {
  for (const [method, path, kind, says] of paths) {
    test(`${method} ${path.slice(0, 60).replaceAll('%', '%%')}`, async () => {
      const options: CallOptions = method === 'POST' || method === 'PATCH' ? { body: { lastname: 'x' } } : {}
      const answer = await api.call(method, path.replace('DEBTOR', debtor), options)
      assertProblem(answer, kind, says)
      const allowed = /supports ([A-Z, ]+)\./.exec(answer.text)?.[1] ?? null
      assert.equal(answer.headers.get('allow'), allowed)
    })
  }

  test('with a GUID in upper case is the same path', async () => {
    assert.equal((await api.call('GET', debtor.toUpperCase().replace('DEBTORS', 'debtors'))).status, 200)
  })

  test('keeps every character of a name that was encoded', async () => {
    for (const name of ['a/b', 'c%2Fd', 'e?f#g', 'h;i=j&k', 'å ä ö', '100%', '..a', '\u{1F600}']) {
      const made = await api.call('POST', `${debtor}/extrafields`, { body: { name, value: [] } })
      assert.equal(made.status, 201, name)
      const location = made.headers.get('location')!.replace('/api/v1', '')
      assert.equal((await api.call<{ name: string }>('GET', location)).body.name, name)
      assert.equal((await api.call('DELETE', location)).status, 200)
    }
  })
})

test('a request for an answer other than JSON is refused', async () => {
  for (const accept of ['text/html', 'application/xml', 'image/*', 'application/jsonx, text/*']) {
    assertProblem(
      await api.call('GET', '/debtors', { headers: { accept } }),
      'not-acceptable',
      /JSON/,
      accept,
    )
  }
  for (const accept of [
    '',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.5',
    'application/problem+json',
  ]) {
    assert.equal((await api.call('GET', '/debtors', { headers: { accept } })).status, 200, accept)
  }
})

test('HEAD answers like GET, without the body', async () => {
  const headers = { authorization: `Bearer ${api.token}` }
  for (const [path, status] of [
    ['/debtors', 200],
    ['/debtors/abc', 400],
    ['/nosuch', 404],
  ] as const) {
    const answer = await fetch(`${api.address}/api/v1${path}`, { method: 'HEAD', headers })
    assert.equal(answer.status, status, path)
    assert.equal(await answer.text(), '')
    assert.ok(answer.headers.get('x-request-id'))
  }
})

test('the type URL of each problem is served', async () => {
  for (const kind of Object.keys(problems)) {
    const answer = await fetch(`${api.address}/problems/${kind}`)
    assert.equal(answer.status, 200, kind)
    assert.match(await answer.text(), /What it means and how to mend it/)
  }
})
