/** Random input to every form: never a server error, and accepted values are returned as form values. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { formFields, type Form } from '../../../contract/metadata/forms/form.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
const known: Record<string, string> = {}
before(async () => {
  api = await startApi()
  known['debtor'] = await make('debtor', { lastname: 'Berg' }, 'debtorGuid')
  known['client'] = await make('client', { name: 'A', partyReferenceCode: 'A' }, 'clientGuid')
  known['address'] = await make(`address`, { city: 'Lund' }, 'addressGuid', `?id=${known['debtor']}`)
  await make('extrafield', { name: 'x' }, 'name', `?id=${known['debtor']}`)
  await make('lookupvalue', { lookupCode: 'size', lookupKey: 'L', textEn: 'Large' }, 'lookupValueGuid')
  await make(
    'field',
    { entity: 'debtor', code: 'ownSize', type: 'lookup', lookupCode: 'size', textEn: 'Size' },
    'fieldGuid',
  )
})
after(() => api.close())

async function make(entity: string, body: object, member: string, place = ''): Promise<string> {
  const made = await api.call<Record<string, string>>('POST', `/system/forms/${entity}/create${place}`, {
    body,
  })
  assert.equal(made.status, 201, made.text)
  return made.body[member]!
}

const near = [
  '',
  ' ',
  'SE',
  'SEK',
  'debtor',
  'ownSize',
  'L',
  'string',
  'x,y',
  '/*',
  'A/*,A',
  '\\',
  '\\n',
  '19900101-2385',
  '2026-02-30',
  '9999-12-31T23:59:59-14:00',
  '1e400',
  '\ud800',
  '٣',
  "'; drop table debtor; --",
]
const value = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom<unknown>(...near, null, 0, 1, -1, 2 ** 31, 1e308, 0.1, true, false),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

const guids = () => [...Object.values(known), '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70']

function arbitraryRequest(form: Form) {
  const codes = [...formFields(form), 'ownSize', 'constructor', '__proto__', 'nosuch']
  const someCode = fc.constantFrom(...codes)
  const body = fc.array(fc.tuple(someCode, value), { maxLength: 8 })
  const guid = fc.constantFrom('', 'x', ...guids())
  const place = fc.record({
    id: guid,
    subId: guid,
    name: fc.constantFrom('x', 'X', '', '\u0001', 'å'.repeat(90)),
  })
  return fc.tuple(body, place, fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'recalculate'))
}

/** Mostly the parameters that the form accepts. */
function arbitraryQuery(form: Form, place: Record<string, string>): string {
  const taken = Object.keys(form.takes).map((name) => {
    const own = known[form.takes[name as 'id'] ?? '']
    return [name, place[name] === '' && own !== undefined ? own : place[name]!] as [string, string]
  })
  return new URLSearchParams(taken).toString()
}

const runs = 60

test('every form survives random input', async () => {
  for (const { form } of api.app.forms.all) {
    const path = `/system/forms/${form.entity}/${form.type}`
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(form), async ([members, place, way]) => {
        const query = arbitraryQuery(form, place)
        const raw = `{${members.map(([code, one]) => `${JSON.stringify(code)}:${JSON.stringify(one)}`).join()}}`
        const answer =
          way === 'GET'
            ? await api.call('GET', `${path}?initialValues=true&${query}`)
            : way === 'recalculate'
              ? await api.call('POST', `${path}/recalculate?recalc=idnumber&${query}`, { raw, headers: json })
              : await api.call(way, `${path}?${query}`, way === 'DELETE' ? {} : { raw, headers: json })
        assert.ok(answer.status < 500, `${path} ${answer.text}`)
      }),
      { numRuns: runs },
    )
  }
})

const json = { 'content-type': 'application/json' }
