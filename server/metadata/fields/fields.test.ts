/** Custom fields and overrides: effective at once everywhere, and never in conflict with stored rows. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import type { FormDefinition } from '../../../contract/metadata/forms.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

type Values = Record<string, string | number | boolean>
const form = (path: string) => `/system/forms/${path}`
const post = <T = Values>(path: string, body: object, token = api.token) =>
  api.call<T>('POST', form(path), { body, token })
const addField = async (body: object) => {
  const made = await post('field/create', body)
  assert.equal(made.status, 201, made.text)
  return String(made.body['fieldGuid'])
}
const patch = (path: string, body: object) => api.call('PATCH', form(path), { body })
const valuesAt = async (path: string) =>
  (await api.call<Values>('GET', `${form(path)}initialValues=true`)).body
const readField = async (path: string, code: string, token = api.token) => {
  const { body } = await api.call<FormDefinition>('GET', `/system/formdefinitions/${path}`, { token })
  return body.groups.flatMap(({ fields }) => fields).find((field) => field.code === code)
}
const newDebtor = async (body: object = { lastname: 'Berg' }) =>
  String((await post('debtor/create', body)).body['debtorGuid'])
const found = async (filter: string, order = '') => {
  const query = new URLSearchParams({ $filter: filter, ...(order && { $orderby: order }) })
  const { body } = await api.call<{ value: { fullName: string }[]; total: number }>(
    'GET',
    `/debtors?${query}`,
  )
  return body.value.map(({ fullName }) => fullName)
}

test('a new custom field is at once in definitions, values, checks, filters, the audit trail and the OpenAPI document', async () => {
  await addField({
    entity: 'debtor',
    code: 'shoeSize',
    type: 'integer',
    textEn: 'Shoe size',
    textSv: 'Skostorlek',
    minValue: '20',
    maxValue: '60',
    personalDataTypeId: 5,
  })
  const defined = (await readField('debtor/create', 'shoeSize'))!
  assert.deepEqual(
    [defined.type, defined.longLabel, defined.minValue, defined.maxValue, defined.groupLabel],
    ['integer', 'Shoe size', '20', '60', 'Custom fields'],
  )
  assert.deepEqual([defined.personalDataTypeId, defined.searchEngineField], [5, 'shoeSize'])

  const id = await newDebtor({ lastname: 'Fot', shoeSize: 44 })
  const other = await newDebtor({ lastname: 'Sko', shoeSize: 39 })
  const read = await api.call<Values>('GET', `${form('debtor/edit')}?initialValues=true&id=${id}`)
  assert.equal(read.body['shoeSize'], 44)
  const changed = await patch(`debtor/edit?id=${id}`, { shoeSize: 45, email: 'fot@example.com' })
  assert.notEqual(changed.headers.get('etag'), read.headers.get('etag'))
  assert.equal((await valuesAt(`debtor/edit?id=${id}&`))['shoeSize'], 45)
  assert.deepEqual(await found('shoeSize ge 40'), ['Fot'])
  assert.deepEqual(await found('SHOESIZE ne null', 'shoeSize desc'), ['Fot', 'Sko'])
  await patch(`debtor/edit?id=${other}`, { shoeSize: '' })
  assert.deepEqual(await found('shoeSize ne null'), ['Fot'])

  const audit = await api.call<{ value: { changes: Record<string, unknown> }[] }>(
    'GET',
    `/audit?${new URLSearchParams({ $filter: `entityGuid eq '${id}'` })}`,
  )
  const told = audit.body.value.map(({ changes }) => changes['shoeSize']).filter(Boolean)
  assert.deepEqual(told, [
    [44, 45],
    [null, 44],
  ])
  const reader = await api.signIn(5)
  const masked = await api.call<typeof audit.body>(
    'GET',
    `/audit?${new URLSearchParams({ $filter: `entityGuid eq '${id}'` })}`,
    {
      token: reader,
    },
  )
  assert.deepEqual(masked.body.value.map(({ changes }) => changes['shoeSize']).filter(Boolean), [
    ['…', '…'],
    [null, '…'],
  ])

  const address = `${api.address}/api/v1/openapi.json`
  const signedIn = await fetch(address, { headers: { authorization: `Bearer ${api.token}` } })
  assert.match(signedIn.headers.get('vary')!, /authorization, cookie/)
  const document = await signedIn.text()
  for (const path of ['/api/v1/openapi.json', '/reference']) {
    for (const headers of [{}, { authorization: `Bearer ${'a'.repeat(43)}` }]) {
      const answer = await fetch(api.address + path, { headers })
      assert.equal(answer.status, 200)
      assert.doesNotMatch(await answer.text(), /shoeSize/, 'strangers do not see custom fields')
    }
  }
  assert.match(document, /Custom fields: `shoeSize`/)
  assert.match(document, /"shoeSize":\{"type":\["integer","null"\],"minimum":20/)
})

test('invalid values of custom fields are reported together with other errors', async () => {
  const answer = await post<{ errors: object; labels: object }>('debtor/create', { shoeSize: 61, email: 5 })
  assert.deepEqual(answer.body.errors, {
    email: ['must be a text in quotes or null.'],
    shoeSize: ['must be at most 60.'],
  })
  assert.deepEqual(answer.body.labels, { email: 'E-mail', shoeSize: 'Shoe size' })
  for (const wrong of ['44', 44.5, true, 19]) {
    assertProblem(await post('debtor/create', { lastname: 'X', shoeSize: wrong }), 'invalid', /shoeSize/)
  }
  assertProblem(
    await api.call('POST', '/debtors', { body: { lastname: 'X', shoeSize: 44 } }),
    'invalid',
    /not known/,
  )
})

const fieldCode = (type: string) => `own${type[0]!.toUpperCase()}${type.slice(1)}`

test('every type of custom field is stored unchanged, and can be filtered and sorted', async () => {
  const team = { lookupCode: 'team', lookupKey: 'RED', textEn: 'Red' }
  const red = (await post('lookupvalue/create', team)).body['lookupValueGuid']
  const values: Record<string, [Values[string], object, string]> = {
    string: ['Åsa', { length: 10 }, "ownString eq 'Åsa'"],
    text: ['one\ntwo', {}, "contains(ownText,'two')"],
    integer: [7, {}, 'ownInteger lt 8'],
    decimal: [1.25, {}, 'ownDecimal eq 1.25'],
    money: [99.5, {}, 'ownMoney gt 99'],
    boolean: [false, {}, 'ownBoolean eq false'],
    date: ['2026-05-01T00:00:00Z', { minValue: '2026-01-01' }, 'year(ownDate) eq 2026'],
    datetime: ['2026-05-01T10:30:00.000Z', {}, 'ownDatetime gt 2026-05-01T10:00:00Z'],
    guid: ['0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', {}, 'ownGuid eq 0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'],
    lookup: ['RED', { lookupCode: 'team', mustMatchLookup: true }, "ownLookup in ('RED','BLUE')"],
  }
  for (const [type, [, more]] of Object.entries(values))
    await addField({ entity: 'debtor', code: fieldCode(type), type, textEn: type, ...more })
  const own = Object.fromEntries(Object.entries(values).map(([type, [value]]) => [fieldCode(type), value]))
  const id = await newDebtor({ lastname: 'Alla', ...own })
  const read = await valuesAt(`debtor/edit?id=${id}&`)
  for (const [code, value] of Object.entries(own)) assert.equal(read[code], value, code)
  for (const [type, [, , filter]] of Object.entries(values)) {
    assert.deepEqual(await found(filter, `${fieldCode(type)} desc`), ['Alla'], filter)
    const defined = (await readField('debtor/edit', fieldCode(type)))!
    assert.equal(defined.type, type)
  }
  assertProblem(
    await api.call('DELETE', form(`lookupvalue/edit?id=${String(red)}`)),
    'conflict',
    /in use by 1 debtor records/,
  )
  assertProblem(
    await post('debtor/create', { lastname: 'X', ownMoney: 1.23456 }),
    'invalid',
    /at most 4 decimals/,
  )
  assertProblem(
    await post('debtor/create', { lastname: 'X', ownLookup: 'GREEN' }),
    'invalid',
    /key of the lookup team/,
  )
  assertProblem(
    await post('debtor/create', { lastname: 'X', ownDate: '2025-12-31' }),
    'invalid',
    /1 Jan 2026 or later/,
  )
  assertProblem(await post('debtor/create', { lastname: 'X', ownGuid: 'x' }), 'invalid', /must be a GUID/)
  assertProblem(
    await post('debtor/create', { lastname: 'X', ownString: 'x'.repeat(11) }),
    'invalid',
    /at most 10/,
  )
})

test('an override changes label, order, default and the required flag of a built-in field', async () => {
  const guid = await addField({
    entity: 'customer',
    code: 'phone',
    textEn: 'Direct line',
    fieldOrder: 1,
    required: true,
    defaultValue: '+46701740605',
  })
  const defined = (await readField('customer/create', 'phone'))!
  assert.deepEqual([defined.longLabel, defined.fieldOrder, defined.required], ['Direct line', 1, true])
  assert.equal((await valuesAt('customer/create?'))['phone'], '+46701740605')
  const client = (await post('client/create', { name: 'A', partyReferenceCode: 'A1' })).body['clientGuid']!
  const body = { clientGuid: client, customerNumber: '1', name: 'Bo' }
  assertProblem(await post('customer/create', body), 'invalid', /phone is required/)
  assert.equal((await post('customer/create', { ...body, phone: '0701740605' })).status, 201)
  await patch(`field/edit?id=${guid}`, { required: false, fieldOrder: 0, textEn: '', defaultValue: '' })
  const back = (await readField('customer/create', 'phone'))!
  assert.deepEqual([back.longLabel, back.required], ['Phone', false])
  assert.ok(back.fieldOrder > 1)
  await patch(`field/edit?id=${guid}`, { hidden: true })
  assert.equal(await readField('customer/create', 'phone'), undefined)
  assertProblem(
    await post('customer/create', { ...body, customerNumber: '2', phone: '1' }),
    'invalid',
    /phone is not known/,
  )
  assert.equal((await api.call('DELETE', form(`field/edit?id=${guid}`))).status, 200)
  assert.equal((await readField('customer/create', 'phone'))!.longLabel, 'Phone')
})

test('a change that would make stored rows invalid is refused with their number', async () => {
  const guid = await addField({ entity: 'debtor', code: 'shelf', type: 'string', textEn: 'Shelf' })
  for (const shelf of ['A1', 'B22', 'C333']) await newDebtor({ lastname: 'Hylla', shelf })
  const refused = async (body: object, rows: number) => {
    const answer = await patch(`field/edit?id=${guid}`, body)
    assertProblem(answer, 'conflict', new RegExp(`${rows} rows? (is|are) in the way`), JSON.stringify(body))
    assert.equal((answer.body as { rowsInTheWay?: number }).rowsInTheWay, rows)
  }
  await refused({ length: 3 }, 1)
  await refused({ length: 2 }, 2)
  await refused({ specificValues: 'A1,B22' }, 1)
  await refused({ lookupCode: 'team', mustMatchLookup: true }, 3)
  const { total } = (await api.call<{ total: number }>('GET', '/debtors?$top=1')).body
  await refused({ required: true }, total - 3)
  assert.equal((await patch(`field/edit?id=${guid}`, { length: 4 })).status, 200)
  const withEmail = (await api.call<{ total: number }>('GET', '/debtors?$filter=email ne null&$top=1')).body
    .total
  const override = await post('field/create', { entity: 'debtor', code: 'email', required: true })
  assertProblem(override, 'conflict', new RegExp(`${total - withEmail} rows are in the way`))
  const used = await api.call<{ usedBy?: object }>('DELETE', form(`field/edit?id=${guid}`))
  assertProblem(used, 'conflict', /in use by 3 debtor records/)
})

test('an inconsistent field is refused', async () => {
  const own = { entity: 'debtor', code: 'fresh', type: 'string', textEn: 'Fresh' }
  const wrong: [object, RegExp][] = [
    [{ ...own, entity: 'nosuch' }, /entity is required: one of .*debtor/],
    [{ ...own, entity: 'extrafield' }, /entity is required/],
    [{ ...own, code: 'no space' }, /code is required: a letter/],
    [{ ...own, code: 'constructor' }, /code is required/],
    [{ ...own, code: 'EQ' }, /no word of \$filter/],
    [{ ...own, code: 'EMAIL' }, /differs from the built-in field email/],
    [{ ...own, code: 'email' }, /type must be omitted/],
    [{ entity: 'debtor', code: 'fresh', textEn: 'x' }, /type is required/],
    [{ entity: 'debtor', code: 'email', length: 5 }, /length cannot be changed/],
    [{ entity: 'debtor', code: 'regDate', required: true }, /read-only field/],
    [{ entity: 'customer', code: 'name', hidden: true }, /every new record needs/],
    [{ ...own, textEn: '' }, /textEn is required/],
    [{ ...own, type: 'boolean', length: 5 }, /length applies to texts/],
    [{ ...own, minValue: '5' }, /minValue applies to numbers/],
    [{ ...own, type: 'integer', minValue: 'x' }, /minValue must be a number/],
    [{ ...own, type: 'integer', minValue: '5', maxValue: '4' }, /maxValue must not be less/],
    [{ ...own, type: 'integer', specificValues: '1,x' }, /specificValues must be numbers/],
    [{ ...own, type: 'lookup' }, /lookupCode is required/],
    [{ ...own, lookupCode: 'nosuch' }, /lookupCode is not a lookup/],
    [{ ...own, mustMatchLookup: true }, /needs a lookupCode/],
    [{ ...own, type: 'integer', defaultValue: 'x' }, /defaultValue must be a whole number/],
    [{ ...own, type: 'what' }, /type must be one of string/],
    [{ entity: 'debtor', code: 'currencyCode', defaultValue: 'SEKK' }, /defaultValue must have at most 3/],
  ]
  for (const [body, says] of wrong)
    assertProblem(await post('field/create', body), 'invalid', says, JSON.stringify(body))
  assertProblem(
    await post('field/create', { ...own, code: 'SHOESIZE' }),
    'conflict',
    /a field or override SHOESIZE/,
  )
  assertProblem(await post('field/create', own, await api.signIn(3)), 'forbidden', /form\.admin/)
})

test('users and records of a debtor can have custom fields', async () => {
  await addField({ entity: 'address', code: 'doorCode', type: 'string', textEn: 'Door code', audit: false })
  await addField({ entity: 'user', code: 'deskNumber', type: 'integer', textEn: 'Desk' })
  const id = await newDebtor()
  const made = await post(`address/create?id=${id}`, { city: 'Lund', doorCode: '1234' })
  assert.equal(made.body['doorCode'], '1234')
  const query = new URLSearchParams({ $filter: "doorCode eq '1234'" })
  const { body } = await api.call<{ total: number }>('GET', `/debtors/${id}/addresses?${query}`)
  assert.equal(body.total, 1)
  const [entry] = await api.sql`
    select changes from audit_entry where changes ? 'doorCode' and subject = ${id}`
  assert.deepEqual(entry!['changes'], { doorCode: [null, 'changed'] })
  const sequences = await api.sql<{ sequence: number; data: object }[]>`
    select sequence, data from event where subject = ${id} order by position`
  assert.deepEqual(
    sequences.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  const told = { debtorGuid: id, addressGuid: made.body['addressGuid'], changed: ['doorCode'] }
  assert.deepEqual(sequences[2]!.data, told)
  const user = await api.addUser({ email: 'desk@agency.example', password: 'a long passphrase here' })
  assert.equal((await patch(`user/edit?id=${user}`, { deskNumber: 12 })).status, 200)
  const users = await api.call<{ total: number }>('GET', '/users?$filter=deskNumber eq 12')
  assert.equal(users.body.total, 1)
})

test('an indexed field gets its indexes and loses them', async () => {
  const guid = await addField({
    entity: 'debtor',
    code: 'ward',
    type: 'string',
    textEn: 'Ward',
    indexed: true,
  })
  const indexes = async () =>
    (
      await api.sql<{ name: string }[]>`
        select c.relname as name from pg_class c join pg_index i on i.indexrelid = c.oid and i.indisvalid
        where c.relname like ${`own\\_debtor\\_${guid.replaceAll('-', '')}%`} order by 1`
    ).length
  const until = async (count: number) => {
    for (let tries = 0; tries < 100 && (await indexes()) !== count; tries++) await delay(100)
    assert.equal(await indexes(), count)
  }
  await until(2)
  await patch(`field/edit?id=${guid}`, { indexed: false })
  await until(0)
})

test('another node knows a new field within a second', async () => {
  const node = await api.startNode()
  try {
    const known = async () => {
      const { body } = await node.call<FormDefinition>('GET', '/system/formdefinitions/object/create')
      return body.groups.some(({ fields }) => fields.some(({ code }) => code === 'floors'))
    }
    assert.equal(await known(), false)
    await addField({ entity: 'object', code: 'floors', type: 'integer', textSv: 'Våningar' })
    for (let tries = 0; tries < 50 && !(await known()); tries++) await delay(100)
    assert.equal(await known(), true)
    assert.equal(
      (await readField('object/create', 'floors'))!.longLabel,
      'Våningar',
      'in want of an English label',
    )
  } finally {
    await node.close()
  }
})

test('the lookup of records lists those that can have custom fields', async () => {
  const refused = await post<{ detail: string }>('field/create', {
    entity: 'nothing',
    code: 'x',
    type: 'string',
    textEn: 'X',
  })
  const named = /: one of (.*)\.$/.exec(refused.body.detail)![1]!.split(', ')
  const { body } = await api.call<{ values: { lookupKey: string }[] }>(
    'POST',
    '/system/lookups/fieldentity',
    {
      body: {},
    },
  )
  assert.deepEqual(body.values.map(({ lookupKey }) => lookupKey).toSorted(), named.toSorted())
})
