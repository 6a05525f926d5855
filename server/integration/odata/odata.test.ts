import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CreatedUser } from '../../../contract/access/users.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

interface Body {
  '@odata.context'?: string
  '@odata.count'?: number
  '@odata.nextLink'?: string
  value: Record<string, unknown>[]
  error: { code: string; message: string; target?: string }
}
interface Answer {
  status: number
  text: string
  body: Body
  headers: Headers
}

let api: TestApi
let basic: string
const cities = ['Malmö', 'Ängelholm', null, 'Åhus', 'Lund', null, 'Malmö']

before(async () => {
  api = await startApi()
  const field = { entity: 'debtor', code: 'riskClass', type: 'string', textEn: 'Risk class' }
  const made = await api.call('POST', '/system/forms/field/create', { body: field })
  assert.equal(made.status, 201, made.text)
  for (const [index, city] of cities.entries()) {
    const address =
      city === null ? {} : { street: 'Gatan', houseNo: '1', zipCode: '21142', city, countryCode: 'SE' }
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/system/forms/debtor/create', {
      body: {
        firstname: 'Åsa',
        lastname: `Ek & "${index}"`,
        riskClass: index === 0 ? 'A<1>' : null,
        ...address,
      },
    })
    assert.equal(debtor.status, 201, debtor.text)
    const { body: client } = await api.call<{ value: { clientGuid: string }[] }>('GET', '/clients')
    const registered = await api.call('POST', '/system/forms/case/register', {
      body: {
        clientGuid: client.value[0]?.clientGuid ?? (await api.addParty('CLIENT')),
        debtorGuid: debtor.body.debtorGuid,
        principal: 100.5 + index,
        currencyCode: 'SEK',
        invoiceNumber: `F${index}`,
        dueDate: '2025-06-30',
      },
    })
    assert.equal(registered.status, 201, registered.text)
    const { caseGuid } = registered.body as unknown as { caseGuid: string }
    const paid = await api.call('POST', '/system/forms/payment/register', { body: { caseGuid, amount: 10 } })
    assert.equal(paid.status, 201, paid.text)
  }
  basic = await addProgram({ userRole: 2 })
})
after(() => api.close())

let programs = 0
async function addProgram(change: object): Promise<string> {
  const made = await api.call<CreatedUser>('POST', '/users', {
    body: {
      partyReferenceCode: 'AGENCY',
      email: `excel${++programs}@agency.example`,
      fullName: 'Excel',
      apiUser: true,
      ...change,
    },
  })
  assert.equal(made.status, 201, made.text)
  const { clientId, clientSecret } = made.body
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const url = path.startsWith('http') ? path : `${api.address}/odata${path}`
  const response = await fetch(url, { headers: { authorization: basic, ...headers } })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    text,
    body: isJson ? (JSON.parse(text) as Body) : ({} as Body),
    headers: response.headers,
  }
}
const query = (options: Record<string, string>) => `?${new URLSearchParams(options).toString()}`
async function read(path: string, options: Record<string, string> = {}): Promise<Body> {
  const answer = await get(path + query(options))
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function readAll(path: string, headers: Record<string, string> = {}): Promise<Body[]> {
  const pages: Body[] = []
  for (let url: string | undefined = path; url !== undefined; url = pages.at(-1)!['@odata.nextLink']) {
    const answer = await get(url, headers)
    assert.equal(answer.status, 200, answer.text)
    pages.push(answer.body)
  }
  return pages
}

const sets = ['Clients', 'Users', 'Debtors', 'Addresses', 'Cases', 'Invoices', 'Payments', 'PaymentPlans']

test('the service document lists the sets, and $metadata describes each', async () => {
  for (const path of ['', '/']) {
    const answer = await get(path)
    assert.equal(answer.headers.get('odata-version'), '4.0')
    assert.match(answer.headers.get('content-type')!, /^application\/json;\s*odata\.metadata=minimal/)
    assert.equal(answer.body['@odata.context'], `${api.address}/odata/$metadata`)
    assert.deepEqual(
      answer.body.value,
      sets.map((name) => ({ name, kind: 'EntitySet', url: name })),
    )
  }
  const { text, headers } = await get('/$metadata')
  assert.match(headers.get('content-type')!, /^application\/xml/)
  for (const set of sets) assert.ok(text.includes(`<EntitySet Name="${set}" `), set)
  assert.match(text, /<Property Name="debtorGuid" Type="Edm.Guid" Nullable="false"\/>/)
  assert.match(text, /<Property Name="riskClass" Type="Edm.String"\/>/)
  assert.match(text, /<Property Name="dateOfBirth" Type="Edm.Date"\/>/)
})

test('every set gives exactly the members of its type, by list and by key', async () => {
  const { text } = await get('/$metadata')
  for (const set of sets) {
    const type = new RegExp(`<EntitySet Name="${set}" EntityType="Fordra.(\\w+)"`).exec(text)![1]!
    const description = new RegExp(`<EntityType Name="${type}">([\\s\\S]*?)</EntityType>`).exec(text)![1]!
    const members = [...description.matchAll(/<Property Name="(\w+)" Type="([\w.]+)"( Nullable="false")?/g)]
    const key = /<PropertyRef Name="(\w+)"/.exec(description)![1]!
    const { value } = await read(`/${set}`)
    if (set !== 'PaymentPlans') assert.ok(value.length > 0, `${set} has rows`)
    for (const row of value) {
      assert.deepEqual(
        Object.keys(row),
        members.map(([, name]) => name),
        set,
      )
      for (const [, name, edmType, notNull] of members)
        checkValue(row[name!], edmType!, notNull, `${set}.${name}`)
      const one = await read(`/${set}(${String(row[key])})`)
      const { '@odata.context': context, ...entity } = one
      assert.equal(context, `${api.address}/odata/$metadata#${set}/$entity`)
      assert.deepEqual(entity, row)
    }
  }
})

const forms: Record<string, (value: unknown) => boolean> = {
  'Edm.String': (value) => typeof value === 'string',
  'Edm.Int32': Number.isInteger,
  'Edm.Decimal': (value) => typeof value === 'number',
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Date': (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)),
  'Edm.DateTimeOffset': (value) => /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(String(value)),
  'Edm.Guid': (value) => /^[0-9a-f-]{36}$/.test(String(value)),
}
function checkValue(value: unknown, type: string, notNull: string | undefined, name: string): void {
  if (value === null) assert.equal(notNull, undefined, `${name} is null`)
  else assert.ok(forms[type]!(value), `${name} ${type} ${JSON.stringify(value)}`)
}

test('$select, $filter, $orderby, $top, $skip and $count', async () => {
  const body = await read('/Debtors', {
    $select: 'fullName,city',
    $filter: "city eq 'Malmö' or riskClass eq 'A<1>'",
    $orderby: 'fullName desc',
    $top: '1',
    $count: 'true',
  })
  assert.equal(body['@odata.count'], 2)
  assert.deepEqual(body.value, [{ fullName: 'Åsa Ek & "6"', city: 'Malmö' }])
  assert.equal(body['@odata.context'], `${api.address}/odata/$metadata#Debtors(fullName,city)`)
  assert.equal(body['@odata.nextLink'], undefined)
  const skipped = await read('/Debtors', { $orderby: 'fullName', $skip: '5', $select: 'fullName' })
  assert.deepEqual(
    skipped.value.map(({ fullName }) => fullName),
    ['Åsa Ek & "5"', 'Åsa Ek & "6"'],
  )
  const [custom] = (await read('/Debtors', { $filter: "riskClass eq 'A<1>'" })).value
  assert.equal(custom!['riskClass'], 'A<1>')
  const due = await read('/Invoices', { $filter: 'dueDate eq 2025-06-30', $top: '1' })
  assert.equal(due.value[0]!['dueDate'], '2025-06-30')
  const counted = await get(`/Debtors/$count${query({ $filter: "city eq 'Malmö'" })}`)
  assert.deepEqual([counted.text, counted.headers.get('content-type')], ['2', 'text/plain; charset=utf-8'])
})

test('pages by nextLink give every row once, in every order', async () => {
  const headers = { prefer: 'odata.maxpagesize=2' }
  const orders = [
    '',
    'city',
    'city desc',
    'city desc,fullName',
    'fullName,city desc',
    'dateOfBirth',
    'debtorGuid desc',
  ]
  for (const $orderby of orders) {
    const order: Record<string, string> = $orderby === '' ? {} : { $orderby }
    const whole = await read('/Debtors', order)
    const pages = await readAll(`/Debtors${query({ ...order, $count: 'true' })}`, headers)
    assert.deepEqual(
      pages.flatMap(({ value }) => value),
      whole.value,
      $orderby,
    )
    assert.deepEqual(
      pages.map(({ value }) => value.length),
      [2, 2, 2, 1],
    )
    assert.equal(pages[0]!['@odata.count'], 7)
    const limited = await readAll(`/Debtors${query({ ...order, $top: '5', $skip: '1' })}`, headers)
    assert.deepEqual(
      limited.flatMap(({ value }) => value),
      whole.value.slice(1, 6),
      $orderby,
    )
  }
})

test('rows that come and go between two pages neither repeat nor hide others', async () => {
  const start = await get(`/Debtors${query({ $orderby: 'fullName' })}`, { prefer: 'odata.maxpagesize=3' })
  assert.equal(start.headers.get('preference-applied'), 'odata.maxpagesize=3')
  const added = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Aa' } })
  const rest = await readAll(start.body['@odata.nextLink']!)
  const names = [...start.body.value, ...rest.flatMap(({ value }) => value)].map(({ fullName }) => fullName)
  assert.deepEqual(
    names,
    [0, 1, 2, 3, 4, 5, 6].map((number) => `Åsa Ek & "${number}"`),
  )
  await api.call('DELETE', `/system/forms/debtor/edit?id=${added.body.debtorGuid}`)
})

const unsupported: [path: string, target: string][] = [
  ['/Debtors?$expand=Cases', '$expand'],
  ['/Debtors?$search=ek', '$search'],
  ['/Debtors?$apply=aggregate($count as n)', '$apply'],
  ['/Debtors?$compute=1 as one', '$compute'],
  ['/Debtors?$deltatoken=1', '$deltatoken'],
  ['/Debtors?$format=atom', '$format'],
  ['/Debtors?$filter=fullName eq @name&@name=1', '@name'],
  ['/Debtors?$filter=cases/any(c:c/balance gt 1)', '$filter'],
  ['/Cases?$filter=remainingSum add 1 gt 2', '$filter'],
  ["/Debtors?$filter=cast(fullName,'Edm.Int32') eq 1", '$filter'],
  ['/Debtors?$select=cases/caseNumber', '$select'],
  ['/$crossjoin(Debtors,Cases)', '$crossjoin'],
  ['/$all', '$all'],
  ['/$entity', '$entity'],
  ['/Debtors(0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70)/fullName', 'path'],
]
for (const [path, target] of unsupported) {
  test(`501 names the option: ${path}`, async () => {
    const { status, body, text } = await get(path)
    assert.equal(status, 501, text)
    assert.deepEqual([body.error.code, body.error.target], ['not-implemented', target])
    assert.match(body.error.message, /support|only format/)
  })
}

const wrong: [path: string, status: number, says: RegExp][] = [
  ['/Nothing', 404, /Known are Clients/],
  ['/Debtors(0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70)', 404, /no such entity/],
  ['/Debtors(17)', 400, /Debtors\(GUID\)/],
  ['/Debtors?$filter=fullNam eq 1', 400, /Did you mean fullName/],
  ['/Debtors?$select=fullNam', 400, /Did you mean fullName/],
  ['/Debtors?$top=-1', 400, /whole number/],
  ['/Debtors?$top=99999999999', 400, /whole number/],
  ['/Debtors?$count=yes', 400, /true or false/],
  ['/Debtors?$top=1&$top=2', 400, /more than once/],
  ['/Debtors?$skiptoken=abc', 400, /first page/],
  [`/Debtors?$skiptoken=${Buffer.from('["","1"]').toString('base64url')}`, 400, /first page/],
  [
    `/Debtors?$orderby=dateOfBirth&$skiptoken=${Buffer.from('["dateOfBirth","0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70","noon"]').toString('base64url')}`,
    400,
    /first page/,
  ],
  [
    `/Debtors?$orderby=dateOfBirth&$skiptoken=${Buffer.from('["dateOfBirth","0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70"]').toString('base64url')}`,
    400,
    /first page/,
  ],
]
for (const [path, status, says] of wrong) {
  test(`${status} says what is wrong: ${path.slice(0, 60)}`, async () => {
    const answer = await get(path)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.body.error.message, says)
    assert.equal(answer.headers.get('odata-version'), '4.0')
  })
}

test('Accept and OData-MaxVersion are heeded, and unknown custom options are not an error', async () => {
  assert.equal((await get('/Debtors', { accept: 'application/atom+xml' })).status, 406)
  assert.equal((await get('/Debtors', { accept: 'application/json;odata.metadata=full' })).status, 406)
  assert.equal((await get('/Debtors', { 'odata-maxversion': '3.0' })).status, 400)
  assert.equal((await get('/Debtors', { 'odata-maxversion': '4.01' })).status, 200)
  const none = await get('/Debtors', { accept: 'application/json;odata.metadata=none' })
  assert.equal(none.body['@odata.context'], undefined)
  assert.equal((await get('/Debtors?apikey=1&$format=json')).status, 200)
})

test('nothing can be changed', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(`${api.address}/odata/Debtors`, {
      method,
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: '{"lastname":"x"}',
    })
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'], method)
  }
})

test('a batch is refused as what is not implemented, however it is written', async () => {
  for (const path of ['$batch', '%24batch']) {
    const response = await fetch(`${api.address}/odata/${path}`, {
      method: 'POST',
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: '{"requests":[{"id":"1","method":"GET","url":"Debtors"}]}',
    })
    const { error } = (await response.json()) as { error: { code: string; target: string } }
    assert.deepEqual([response.status, error.code, error.target], [501, 'not-implemented', '$batch'])
  }
})

const encode = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test('Basic takes an API user, a bearer token works too, and nobody else gets in', async () => {
  assert.equal((await get('/Debtors', { authorization: `Bearer ${api.token}` })).status, 200)
  await api.addUser({ email: 'person@agency.example', password: 'en lång mening för en person' })
  const refused = [
    '',
    'Basic !',
    encode('0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70:wrong'),
    encode('person@agency.example:en lång mening för en person'),
    'Bearer wrong-token-wrong-token-wrong',
  ]
  for (const authorization of refused) {
    const answer = await get('/Debtors', { authorization })
    assert.equal(answer.status, 401, authorization)
    assert.match(answer.headers.get('www-authenticate')!, /^Basic realm="Fordra", charset="UTF-8"/)
    assert.equal(answer.body.error.message.includes('wrong-token'), false)
  }
})

test('guessing secrets by Basic locks the client id like signing in', async () => {
  const program = await addProgram({ userRole: 3 })
  assert.equal((await get('/Debtors', { authorization: program })).status, 200)
  const [clientId] = Buffer.from(program.slice(6), 'base64').toString().split(':')
  const guess = `Basic ${Buffer.from(`${clientId}:guess`).toString('base64')}`
  for (let count = 0; count < 10; count++) await get('/Debtors', { authorization: guess })
  assert.equal((await get('/Debtors', { authorization: program })).status, 401)
  await api.sql`delete from login_failure`
  assert.equal((await get('/Debtors', { authorization: program })).status, 200)
})

test('a user restricted to a client sees its rows alone, and sets need their access code', async () => {
  await api.addParty('OTHER')
  const restricted = await addProgram({ partyReferenceCode: 'OTHER', userRole: 6 })
  const headers = { authorization: restricted }
  for (const set of ['Debtors', 'Addresses', 'Cases', 'Invoices', 'Payments', 'PaymentPlans']) {
    const all = await read(`/${set}`, { $count: 'true' })
    const own = await get(`/${set}?$count=true`, headers)
    assert.deepEqual([own.body.value, own.body['@odata.count']], [[], 0], set)
    assert.equal((await get(`/${set}/$count`, headers)).text, '0')
    const key = Object.entries(all.value[0] ?? {}).find(([name]) => name.endsWith('Guid'))
    if (key) assert.equal((await get(`/${set}(${String(key[1])})`, headers)).status, 404)
  }
  // A token of somebody who sees everything opens nothing more.
  const { body } = await get('/Debtors', { prefer: 'odata.maxpagesize=2' })
  const next = await get(body['@odata.nextLink']!, headers)
  assert.deepEqual(next.body.value, [])
  const clients = await get('/Clients', headers)
  assert.deepEqual(
    clients.body.value.map(({ partyReferenceCode, referenceCode }) => partyReferenceCode ?? referenceCode),
    ['OTHER'],
  )
  const reader = await addProgram({ userRole: 5 })
  assert.equal((await get('/Users', { authorization: reader })).status, 403)
  const { text } = await get('/$metadata', { authorization: reader })
  assert.ok(!text.includes('"Users"') && text.includes('"Debtors"'))
})
