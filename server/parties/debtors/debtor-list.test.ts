import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Debtor, DebtorListItem } from '../../../contract/parties/debtors.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
})
after(() => api.close())

const create = (body: object) => api.call<Debtor>('POST', '/debtors', { body })
const list = (query: string) =>
  api.call<Page<DebtorListItem>>('GET', `/debtors?${new URLSearchParams(query.replaceAll('+', '%2B'))}`)

test('D1 pages, sorts by the Swedish alphabet, and totals exactly', async () => {
  const names = ['Ölund', 'Andersson', 'Zetterberg', 'Åkesson', 'Ärlig', 'andersson']
  await Promise.all(names.map((lastname) => create({ lastname, domicile: 'Sorteringen' })))
  const all = await list("$filter=domicile eq 'Sorteringen'&$orderby=fullname")
  assert.deepEqual(
    all.body.value.map(({ fullName }) => fullName),
    ['andersson', 'Andersson', 'Zetterberg', 'Åkesson', 'Ärlig', 'Ölund'],
  )
  const backwards = await list("$filter=domicile eq 'Sorteringen'&$orderby=fullName desc&$skip=1&$top=2")
  assert.deepEqual(
    backwards.body.value.map(({ fullName }) => fullName),
    ['Ärlig', 'Åkesson'],
  )
  assert.deepEqual([backwards.body.count, backwards.body.skip, backwards.body.total], [2, 1, 6])
  const none = await list("$filter=domicile eq 'Sorteringen'&$top=0")
  assert.deepEqual([none.body.count, none.body.total], [0, 6])
  const beyond = await list("$filter=domicile eq 'Sorteringen'&$skip=100")
  assert.deepEqual([beyond.body.count, beyond.body.total], [0, 6])
})

test('D1 filters on every scalar member of the list item', async () => {
  await create({
    idNumber: '900101-2385',
    firstname: 'Åsa',
    lastname: 'Lindqvist',
    street: 'Storgatan',
    houseNo: '12',
    zipCode: '21142',
    city: 'Malmö',
    countryCode: 'se',
    cellularPhone: '070-174 06 05',
    email: 'asa@Example.COM',
    languageCode: 'SV',
    currencyCode: 'sek',
  })
  const { body: one } = await list("$filter=city eq 'Malmö'")
  assert.equal(one.total, 1)
  for (const [name, value] of Object.entries(one.value[0]!)) {
    const literal =
      typeof value === 'string' && !/^(\d{4}-\d{2}-\d{2}T|[0-9a-f]{8}-[0-9a-f]{4}-)/.test(value)
        ? `'${value.replaceAll("'", "''")}'`
        : String(value)
    const found = await list(`$filter=${name} eq ${literal}&$orderby=${name} desc`)
    assert.equal(found.status, 200, `${name}: ${found.text}`)
    assert.ok(found.body.total >= 1, `${name} eq ${literal}`)
  }
})

test('a remembered total follows every change', async () => {
  const total = async () => (await list("$filter=domicile eq 'Räknat'&$top=1")).body.total
  assert.equal(await total(), 0)
  const { body: first } = await create({ lastname: 'A', domicile: 'Räknat' })
  await create({ lastname: 'B', domicile: 'Räknat' })
  assert.equal(await total(), 2)
  assert.equal(await total(), 2)
  await api.call('PATCH', `/debtors/${first.debtorGuid}`, { body: { domicile: '' } })
  assert.equal(await total(), 1)
  const whole = (await list('$top=1')).body.total
  await create({ lastname: 'C' })
  assert.equal((await list('$top=1')).body.total, whole + 1)
})

test('deep pages, from either end, are the slices of the whole list', async () => {
  await api.sql`
    insert into debtor (id, full_name, reg_date) select gen_random_uuid(), 'Djup ' || (n % 97), now() from generate_series(1, 1200) n`
  const { total } = (await list('$top=0')).body
  const whole: string[] = []
  for (let skip = 0; skip < total; skip += 100) {
    const page = await list(`$orderby=fullName desc&$skip=${skip}&$top=100`)
    assert.equal(page.body.total, total)
    whole.push(...page.body.value.map(({ debtorGuid }) => debtorGuid))
  }
  assert.equal(new Set(whole).size, total)
  for (const skip of [199, 200, 201, 700, total - 30, total - 7, total - 1]) {
    const page = await list(`$orderby=fullName desc&$skip=${skip}&$top=25`)
    assert.deepEqual(
      page.body.value.map(({ debtorGuid }) => debtorGuid),
      whole.slice(skip, skip + 25),
      `$skip=${skip}`,
    )
  }
})

test('a page is the slice of the filtered list, however few or many rows match', async () => {
  await api.sql`
    insert into debtor (id, full_name, reg_date, city, zip_code)
    select gen_random_uuid(), (array['Lars', 'Larsson', 'Läs', 'lars', 'Maria', 'Öst', 'Ost'])[1 + n % 7] || ' ' || n % 211,
      now(), 'Stad ' || n % 13, case when n % 5 > 0 then '21' || n % 50 end
    from generate_series(1, 2400) n`
  const everything = `domicile eq null and (startswith(city,'Stad') or zipCode ne null)`
  const filters = [
    "startswith(fullName,'Lars') and city eq 'Stad 3'",
    "startswith(fullName,'L') and startswith(city,'Stad')",
    "startswith(fullName,'Ös') and zipCode ne null and startswith(city,'Stad')",
    "contains(fullName,'ar') and startswith(city,'Stad')",
    "zipCode eq '217' and startswith(city,'Stad')",
    "startswith(fullName,'Xy')",
    everything,
  ]
  for (const filter of filters)
    for (const order of ['fullName', 'fullName desc', 'zipCode', 'city desc,fullName', '']) {
      const sort = order && `&$orderby=${order}`
      const first = await list(`$filter=${filter}${sort}&$top=100`)
      const { total } = first.body
      const whole = first.body.value.map(({ debtorGuid }) => debtorGuid)
      while (whole.length < total) {
        const page = await list(`$filter=${filter}${sort}&$top=100&$skip=${whole.length}`)
        assert.equal(page.body.total, total)
        whole.push(...page.body.value.map(({ debtorGuid }) => debtorGuid))
      }
      assert.equal(new Set(whole).size, total, `${filter} ${order}`)
      for (const skip of [0, 7, 199, 230, total - 26, total - 1, total, total + 5].filter((at) => at >= 0)) {
        const page = await list(`$filter=${filter}${sort}&$skip=${skip}&$top=25`)
        const slice = whole.slice(skip, skip + 25)
        assert.deepEqual(
          page.body.value.map(({ debtorGuid }) => debtorGuid),
          slice,
          `${filter} ${order} ${skip}`,
        )
        assert.equal(page.body.total, total)
      }
    }
})

test('what is known of a filter follows the list, also where the page itself counts', async () => {
  const { totals } = api.app.service
  const filter = "domicile eq 'Växer'"
  const count = async () => (await list(`$filter=${filter}&$orderby=fullName`)).body.total
  const known = () => [...totals.exact].find(([key]) => key.includes('Växer'))?.[1].total
  await create({ lastname: 'Först', domicile: 'Växer' })
  assert.equal(await count(), 1)
  assert.equal(known(), 1)
  await api.sql`
    insert into debtor (id, full_name, reg_date, domicile)
    select gen_random_uuid(), 'Växer ' || n, now(), 'Växer' from generate_series(1, 50) n`
  assert.equal(await count(), 51)
  assert.equal(known(), 51)
})

const emails = [
  "o'hara@example.com",
  'Åsa.Öst@example.com',
  'ASA@example.com',
  'asa@example.com',
  'as%a_@example.com',
]
const phones = ['070-174 06 05', '+4670 174 06 06', '+47 401 23 456', '08-12 34 56']
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const names = ['email', 'cellularPhone'] as const

const own = "domicile eq 'Kontakt'"
test('filters by contact find what a comparison of every row finds', async () => {
  for (const [index, email] of [...emails, undefined].entries())
    await api.call('POST', '/debtors', {
      body: { lastname: 'Ek', domicile: 'Kontakt', email, cellularPhone: phones[index] },
    })
  const { body: all } = await api.call<Page<DebtorListItem>>('GET', `/debtors?$top=100&$filter=${own}`)
  const stored = [
    ...new Set(all.value.flatMap((row) => names.map((name) => row[name])).filter((value) => value !== null)),
  ]
  const given = fc.oneof(
    fc.constantFrom(...stored),
    fc.constantFrom(...stored).map((value) => value.toUpperCase()),
    fc.constantFrom(...stored).map((value) => value.slice(0, 4)),
    fc.string({ maxLength: 5 }).filter((text) => !/[\p{C}]/u.test(text)),
    fc.constant('x'.repeat(700)),
  )
  const one = fc.record({
    name: fc.constantFrom(...names),
    how: fc.constantFrom('eq', 'ne', 'in', 'startswith'),
    values: fc.array(given, { minLength: 1, maxLength: 3 }),
  })
  type One = typeof one extends fc.Arbitrary<infer T> ? T : never
  const write = ({ name, how, values }: One) =>
    how === 'in'
      ? `${name} in (${values.map(literal).join(',')})`
      : how === 'startswith'
        ? `startswith(${name},${literal(values[0]!)})`
        : `${name} ${how} ${literal(values[0]!)}`
  const isTrue = (row: DebtorListItem, { name, how, values }: One): boolean | null => {
    const value = row[name]
    if (how === 'ne') return value !== values[0]
    if (how === 'startswith') return value === null ? null : value.startsWith(values[0]!)
    return value !== null && values.slice(0, how === 'in' ? 3 : 1).includes(value)
  }
  const joined = fc.tuple(one, one, fc.constantFrom('and', 'or', 'not', 'alone'))
  await fc.assert(
    fc.asyncProperty(joined, async ([first, second, join]) => {
      const filter = {
        and: `${write(first)} and ${write(second)}`,
        or: `(${write(first)} or ${write(second)})`,
        not: `not (${write(first)})`,
        alone: write(first),
      }[join]
      const expected = all.value.filter((row) => {
        const [holds, alsoHolds] = [isTrue(row, first), isTrue(row, second)]
        if (join === 'alone') return holds === true
        if (join === 'not') return holds === false
        return join === 'and' ? holds === true && alsoHolds === true : holds === true || alsoHolds === true
      })
      const found = await api.call<Page<DebtorListItem>>(
        'GET',
        `/debtors?$top=100&$filter=${encodeURIComponent(`${filter} and ${own}`)}`,
      )
      assert.equal(found.status, 200, found.text)
      assert.deepEqual(
        found.body.value.map(({ debtorGuid }) => debtorGuid).toSorted(),
        expected.map(({ debtorGuid }) => debtorGuid).toSorted(),
        filter,
      )
    }),
    { numRuns: 150 },
  )
})
