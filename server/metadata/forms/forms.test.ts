/** S1 to S5 and S9 with the forms of a debtor: answers, errors, and equality with the API's operations. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FormDefinition, FormField } from '../../../contract/metadata/forms.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

type Values = Record<string, string | number | boolean>
const form = (path: string) => `/system/forms/${path}`
const valuesAt = (path: string) => api.call<Values>('GET', `${form(path)}initialValues=true`)
const readDefinition = async (path: string, token?: string) =>
  (await api.call<FormDefinition>('GET', `/system/formdefinitions/${path}`, token ? { token } : {})).body
const fieldsIn = (definition: FormDefinition) =>
  new Map<string, FormField>(
    definition.groups.flatMap(({ fields }) => fields).map((field) => [field.code, field]),
  )
const newDebtor = async (body: object = { lastname: 'Berg' }) =>
  (await api.call<{ debtorGuid: string }>('POST', '/debtors', { body })).body.debtorGuid

/** What must be the same by form and by API. */
const said = ({ status, body }: Response) => {
  const { traceId: _, instance: __, labels: ___, ...rest } = body
  return { status, body: rest }
}

test('S9 describes every member of a field', async () => {
  const definition = await readDefinition('debtor/create')
  assert.equal(definition.title, 'New debtor')
  assert.equal(definition.submitMethod, 'POST')
  assert.deepEqual(definition.recalc, [
    { recalcCode: 'idnumber', btnText: 'Check number', fields: ['idNumber', 'countryCode'] },
  ])
  const fields = fieldsIn(definition)
  const gender = fields.get('gender')!
  assert.deepEqual(
    [gender.type, gender.displayType, gender.lookupCode, gender.specificValues, gender.personalDataTypeId],
    ['integer', 'select', 'gender', '0,1,2', 5],
  )
  assert.deepEqual(fields.get('fullName'), {
    code: 'fullName',
    editCode: 'fullName',
    displayCode: 'fullName',
    type: 'string',
    displayType: 'input',
    shortLabel: 'Full name',
    longLabel: 'Full name',
    groupLabel: 'Person or company',
    description: "The name of a company. A person's is composed of its parts.",
    lookupCode: '',
    lookupColumn: '',
    lookupField: false,
    mustMatchLookup: false,
    minValue: '',
    maxValue: '',
    specificValues: '',
    length: 200,
    dbLength: 1_073_741_823,
    multiline: 1,
    allowBreak: false,
    required: false,
    allowNull: true,
    audit: true,
    personalDataTypeId: 2,
    groupOrder: 1,
    fieldOrder: 7,
    listFieldOrder: 8,
    searchEngineField: 'fullName',
    searchEngingeSortable: 1,
  })
  assert.equal(fields.get('dateOfBirth')!.type, 'date')
  assert.equal(fields.get('gender')!.dbLength, 4)
  const record = fieldsIn(await readDefinition('debtor/edit')).get('debtorReference')!
  assert.deepEqual([record.displayType, record.editCode], ['readonly', ''])
  const value = fieldsIn(await readDefinition('extrafield/create')).get('value')!
  assert.deepEqual(
    [value.type, value.displayType, value.allowBreak, value.multiline],
    ['text', 'textarea', true, 5],
  )
})

test("S9 uses the caller's language, and Norwegian for nynorsk", async () => {
  const token = await api.signIn(3)
  for (const [languageCode, title, underAged] of [
    ['sv', 'Ny gäldenär', 'Följer av födelsedatum och systemdatum.'],
    ['nn', 'Ny skyldner', 'Følger av fødselsdatoen og systemdatoen.'],
    ['pl', 'New debtor', 'Calculated from the date of birth and the system date.'],
  ] as const) {
    await api.call('PATCH', '/users/current', { token, body: { languageCode } })
    api.app.service.sessions.forgetUser(
      (await api.call('GET', '/users/current', { token })).body['uniqueId']!,
    )
    const definition = await readDefinition('debtor/create', token)
    assert.equal(definition.title, title)
    assert.equal(fieldsIn(definition).get('underAged')!.description, underAged)
  }
})

test("S1 gives defaults without a record, and the record's values with one", async () => {
  const defaults = await valuesAt('debtor/create?')
  assert.deepEqual(defaults.body, { juridicalType: 0, countryCode: 'SE', currencyCode: 'SEK' })
  assert.equal(defaults.headers.get('etag'), null)
  const debtorGuid = await newDebtor({ idNumber: '19900101-2385', lastname: 'Lind', email: 'a@b.example' })
  const { body, headers } = await valuesAt(`debtor/edit?id=${debtorGuid.toUpperCase()}&`)
  assert.equal(headers.get('etag'), '"1"')
  assert.deepEqual(
    [body['debtorGuid'], body['lastname'], body['dateOfBirth'], body['gender'], body['underAged']],
    [debtorGuid, 'Lind', '1990-01-01T00:00:00Z', 2, false],
  )
  assert.ok(!('middlename' in body), 'a field without a value is left out')
})

test('S2 answers with changed values and stores nothing', async () => {
  const body = { idNumber: '199001012385', gender: 2 }
  const path = form('debtor/create/recalculate?recalc=idnumber')
  const answer = await api.call<Values>('POST', path, { body })
  assert.deepEqual(answer.body, {
    idNumber: '19900101-2385',
    juridicalType: 0,
    dateOfBirth: '1990-01-01T00:00:00Z',
    underAged: false,
  })
  const danish = await api.call<Values>('POST', path, { body: { idNumber: '13585628', countryCode: 'dk' } })
  assert.deepEqual(danish.body, { juridicalType: 1 })
  assertProblem(await api.call('POST', path, { body: { idNumber: '19900101-2386' } }), 'invalid', /idNumber/)
  assertProblem(await api.call('POST', path, { body: {} }), 'invalid', /idNumber is required/)
  assertProblem(await api.call('POST', path, { body: { email: 5 } }), 'invalid', /email must be a text/)
  const unknown = await api.call('POST', path.replace('idnumber', 'totals'), { body })
  assertProblem(unknown, 'invalid', /recalc must be one of idnumber/)
  const none = form('address/create/recalculate?recalc=x')
  assertProblem(await api.call('POST', none, { body: {} }), 'invalid', /has no recalculations/)
  assertProblem(
    await api.call('POST', form('debtor/create/recalculate'), { body }),
    'invalid',
    /recalc is required/,
  )
})

test('S3, S4 and S5 create, change and delete like the API', async () => {
  const made = await api.call<Values>('POST', form('debtor/create'), {
    body: { lastname: 'Ek', firstname: 'Bo', city: 'Lund', email: null },
    headers: { 'idempotency-key': 'form-1' },
  })
  const { debtorGuid } = made.body
  assert.equal(made.headers.get('location'), `/api/v1/debtors/${String(debtorGuid)}`)
  assert.deepEqual(
    [made.body['fullName'], made.body['city'], made.headers.get('etag')],
    ['Bo Ek', 'Lund', '"1"'],
  )
  const again = await api.call<Values>('POST', form('debtor/create'), {
    body: { lastname: 'Ek', firstname: 'Bo', city: 'Lund', email: null },
    headers: { 'idempotency-key': 'form-1' },
  })
  assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [made.text, 'true'])

  const address = await api.call<Values>('POST', form(`address/create?id=${String(debtorGuid)}`), {
    body: { street: 'Storgatan', city: 'Malmö', defaultAddress: true },
  })
  const at = `id=${String(debtorGuid)}&subId=${String(address.body['addressGuid'])}`
  const change = { body: { city: 'Ystad', street: '' }, headers: { 'if-match': '"1"' } }
  const stored = await api.call('PATCH', form(`address/edit?${at}`), change)
  assert.deepEqual([stored.body['detail'], stored.headers.get('etag')], ['The address is updated.', '"2"'])
  const read = await valuesAt(`address/edit?${at}&`)
  assert.deepEqual(
    [read.body['city'], read.body['street'], read.body['defaultAddress']],
    ['Ystad', undefined, true],
  )
  assertProblem(
    await api.call('PATCH', form(`address/edit?${at}`), change),
    'precondition-failed',
    /its ETag is now/,
  )
  assert.equal((await api.call('DELETE', form(`address/edit?${at}`))).status, 200)
  assertProblem(await api.call('DELETE', form(`address/edit?${at}`)), 'not-found', /no such address/)
})

test('an extra field has one value per line', async () => {
  const id = await newDebtor()
  const value = 'Skåne Bageri AB\ntwo \\nlines\\\\'
  await api.call('POST', form(`extrafield/create?id=${id}`), { body: { name: 'Employer', value } })
  const { body } = await api.call('GET', `/debtors/${id}/extrafields/employer`)
  assert.deepEqual(body['value'], ['Skåne Bageri AB', 'two \nlines\\'])
  const read = await valuesAt(`extrafield/edit?id=${id}&name=EMPLOYER&`)
  assert.deepEqual(read.body, { name: 'Employer', value })
  const long = await api.call('PATCH', form(`extrafield/edit?id=${id}&name=employer`), {
    body: { value: `a\n${'x'.repeat(4001)}` },
  })
  assertProblem(long, 'invalid', /"value":\["must have at most 4000/)
  const wrong = await api.call('PATCH', form(`extrafield/edit?id=${id}&name=employer`), {
    body: { value: ['x'] },
  })
  assertProblem(wrong, 'invalid', /value must be a text in quotes or null/)
  assert.equal((await api.call('DELETE', form(`extrafield/edit?id=${id}&name=employer`))).status, 200)
})

test('a form and the API give the same errors and records', async () => {
  const id = await newDebtor()
  const wrong = [
    {},
    { lastname: 'x'.repeat(101) },
    { lastname: 5, email: ['a'], nosuch: 1 },
    { lastname: 'Ek', idNumber: '19900101-2386', email: 'nobody', cellularPhone: '1', gender: 3 },
    { lastname: 'Ek', dateOfBirth: '2999-01-01', currencyCode: 'XXX', countryCode: 'ZZ' },
  ]
  for (const body of wrong) {
    const direct = said(await api.call('POST', '/debtors', { body }))
    assert.equal(direct.status, 400)
    const answer = said(await api.call('POST', form('debtor/create'), { body }))
    // The form has one field more than D2.
    const same = JSON.stringify(answer).replaceAll(', preferredChannel.', '.')
    assert.deepEqual(JSON.parse(same), direct)
  }
  for (const body of [{ fullName: '', lastname: '' }, { street: 'x' }, { gender: 'x' }]) {
    const direct = said(await api.call('PATCH', `/debtors/${id}`, { body }))
    const answer = said(await api.call('PATCH', form(`debtor/edit?id=${id}`), { body }))
    assert.deepEqual(JSON.parse(JSON.stringify(answer).replaceAll(', preferredChannel.', '.')), direct)
  }
  for (const body of [
    { validFrom: '2026-02-01', validTo: '2026-01-01' },
    { countryCode: 'ZZ' },
    { validTo: 'x' },
  ]) {
    const direct = said(await api.call('POST', `/debtors/${id}/addresses`, { body }))
    assert.deepEqual(said(await api.call('POST', form(`address/create?id=${id}`), { body })), direct)
  }
  const body = {
    firstname: 'Åsa',
    lastname: 'Ek',
    cellularPhone: '070-174 06 05',
    zipCode: '21142',
    city: 'Malmö',
  }
  const records = await Promise.all(
    [
      await newDebtor(body),
      (await api.call<Values>('POST', form('debtor/create'), { body })).body['debtorGuid'],
    ].map(async (guid) => {
      const { debtorGuid, debtorReference, links, ...debtor } = (
        await api.call<Record<string, unknown>>('GET', `/debtors/${String(guid)}`)
      ).body
      assert.ok(debtorGuid && debtorReference && links)
      const addresses = await api.call<{ value: Values[] }>('GET', `/debtors/${String(guid)}/addresses`)
      const { addressGuid: _, lastUpdatedAt: __, ...address } = addresses.body.value[0]!
      return { debtor, address }
    }),
  )
  assert.deepEqual(records[0], records[1])
})

test('a duplicate is the same conflict as in the API, and the same header allows it', async () => {
  const body = { idNumber: '19900101-2385', lastname: 'Dal' }
  await newDebtor(body)
  const direct = said(await api.call('POST', '/debtors', { body }))
  assert.deepEqual(said(await api.call('POST', form('debtor/create'), { body })), direct)
  assert.equal(direct.status, 409)
  const headers = { 'x-allow-duplicate': 'true' }
  assert.equal((await api.call('POST', form('debtor/create'), { body, headers })).status, 201)
})

test("errors name the label in the caller's language", async () => {
  const token = await api.signIn(3)
  await api.call('PATCH', '/users/current', { token, body: { languageCode: 'de' } })
  const options = { token, body: { lastname: 'Ek', gender: 9 } }
  const { body } = await api.call<{ labels?: object }>('POST', form('debtor/create'), options)
  assert.deepEqual(body.labels, { gender: 'Geschlecht' })
})

test('an unknown form is a 404 that names the known ones', async () => {
  const get = (path: string, token = api.token) => api.call('GET', `${form(path)}`, { token })
  assertProblem(
    await get('nosuch/create?initialValues=true'),
    'not-found',
    /entities with forms are accessgroup, account, address/,
  )
  assertProblem(
    await get('debtor/nosuch?initialValues=true'),
    'not-found',
    /forms of debtor are create, edit/,
  )
  const reader = await api.signIn(5)
  const seen = await get('debtor/nosuch?initialValues=true', reader)
  assertProblem(seen, 'not-found', /forms of debtor are edit\./)
  assertProblem(await api.call('GET', '/system/formdefinitions/debtor/x'), 'not-found', /create, edit/)
})

test('wrong parameters are refused', async () => {
  const id = await newDebtor()
  const get = (path: string) => api.call('GET', form(path))
  assertProblem(await get('debtor/create'), 'invalid', /initialValues is required/)
  assertProblem(
    await get('debtor/create?initialValues=false'),
    'invalid',
    /initialValues must be one of true/,
  )
  assertProblem(await get('debtor/create?initialValues=true&id=5'), 'invalid', /id is not a parameter/)
  assertProblem(await get('debtor/edit?initialValues=true&id=5'), 'invalid', /id must be a GUID/)
  assertProblem(await get(`address/edit?initialValues=true&subId=${id}`), 'invalid', /id is required/)
  assertProblem(await get(`debtor/edit?initialValues=true&nosuch=1`), 'invalid', /nosuch is not known/)
  assertProblem(await api.call('PATCH', form('debtor/edit'), { body: {} }), 'invalid', /id is required/)
  assertProblem(
    await api.call('POST', form(`debtor/edit?id=${id}`), { body: {} }),
    'method-not-allowed',
    /PATCH/,
  )
  const wrong = await api.call('PATCH', form('debtor/create'), { body: {} })
  assertProblem(wrong, 'method-not-allowed', /POST/)
  assert.equal(wrong.headers.get('allow'), 'GET, POST')
  assertProblem(await api.call('DELETE', form('debtor/create')), 'method-not-allowed', /does not delete/)
  assertProblem(await api.call('POST', form('debtor/create'), { raw: '[]' }), 'invalid', /object/)
})

test('a form needs the access code of its operation, and shows only visible records', async () => {
  const id = await newDebtor()
  const collector = await api.signIn(14)
  const reader = await api.signIn(5)
  const path = form(`address/create?id=${id}`)
  assert.equal((await api.call('POST', path, { token: collector, body: { city: 'Lund' } })).status, 201)
  assertProblem(await api.call('POST', path, { token: reader, body: {} }), 'forbidden', /debtor\.write/)
  const refused = await api.call('PATCH', form(`debtor/edit?id=${id}`), { token: reader, body: {} })
  assertProblem(refused, 'forbidden', /debtor\.write/)
  const stranger = await api.signIn(9, await api.addParty('ELSEWHERE'))
  const hidden = `${form(`debtor/edit?id=${id}`)}&initialValues=true`
  assert.equal((await api.call('GET', hidden, { token: reader })).status, 200)
  assertProblem(await api.call('GET', hidden, { token: stranger }), 'not-found', /no such debtor/)
})

test('preferredChannel is set by form; D2 and D4 do not take it', async () => {
  const made = await api.call<Values>('POST', form('debtor/create'), {
    body: { lastname: 'Kanal', preferredChannel: 'sms' },
  })
  const id = String(made.body['debtorGuid'])
  const shown = async () => (await api.call<Values>('GET', `/debtors/${id}`)).body['preferredChannel']
  assert.equal(await shown(), 'SMS')
  await api.call('PATCH', form(`debtor/edit?id=${id}`), { body: { preferredChannel: 'LETTER' } })
  assert.equal(await shown(), 'LETTER')
  const body = { lastname: 'Kanal', preferredChannel: 'SMS' }
  assertProblem(await api.call('POST', '/debtors', { body }), 'invalid', /preferredChannel/)
  assertProblem(await api.call('PATCH', `/debtors/${id}`, { body }), 'invalid', /preferredChannel/)
  const wrong = await api.call('PATCH', form(`debtor/edit?id=${id}`), { body: { preferredChannel: 'FAX' } })
  assertProblem(wrong, 'invalid', /must be one of EMAIL, SMS, PHONE, LETTER/)
})

test('S1 and S2 answer 404 for a record or a parent that does not exist, in every form', async () => {
  const unknown = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  const wrong: string[] = []
  for (const { form: layout } of api.app.forms.all) {
    const names = Object.keys(layout.takes)
    const path = `/system/forms/${layout.entity}/${layout.type}`
    const kind = 'paymentPlanType' in layout.fields && { paymentPlanType: 1, numberOfPayments: 3 }
    const body = { ...kind, ...('idNumber' in layout.fields && { idNumber: '19900101-2385' }) }
    // The parent alone, then the record below it too.
    for (let count = 1; count <= names.length; count++) {
      const query = names
        .slice(0, count)
        .map((name) => `${name}=${unknown}`)
        .join('&')
      const answers = [await api.call('GET', `${path}?initialValues=true&${query}`)]
      for (const { code } of layout.recalculations ?? [])
        answers.push(await api.call('POST', `${path}/recalculate?recalc=${code}&${query}`, { body }))
      for (const { status, text } of answers)
        if (status !== 404) wrong.push(`${layout.entity}/${layout.type} ${count} ${text}`)
    }
  }
  assert.deepEqual(wrong, [])
})
