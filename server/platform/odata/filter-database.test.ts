import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { evaluate, type Row } from '../../testing/records/evaluate-filter.ts'
import { compileFilter } from './filter.ts'
import { compileOrder } from './order.ts'
import { filterOptions, people } from '../../testing/records/people.ts'
import type { ValueType } from './tree.ts'
import { conditions, printExpression, sampleValues } from '../../testing/records/trees.ts'

let database: TestDatabase

const guid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** What a person has who has nothing but what everyone must have. */
const nobody: Row = {
  ...Object.fromEntries([...people.values()].map(({ name }) => [name, null])),
  active: true,
  created: '2024-01-01T00:00:00Z',
}

const details: Row[] = [
  { underAged: false, regDate: '2024-02-29T23:59:59.999999Z', dueDate: '2024-02-29T00:00:00Z' },
  { underAged: true, regDate: '2024-03-01T00:00:00Z', agentGuid: 'e3b0c442-98fc-1c14-9afb-f4c8996fb924' },
  {},
  { underAged: false, regDate: '2023-12-31T23:30:00Z', dueDate: '2023-12-31T23:30:00Z' },
  { balance: '9007199254740993.01', limit: '9007199254740993.02', regDate: '2025-01-01T00:00:00Z' },
  { underAged: true, regDate: '2024-12-31T23:59:59Z' },
  { dueDate: '2024-07-01T10:20:30.7Z' },
]

/** The people 1 to 7, told apart by their rank. */
const population: Row[] = [
  {
    ...nobody,
    reference: 'Malmö',
    fullName: 'Åsa Öberg',
    city: 'Malmö',
    gender: 2,
    balance: '100.10',
    limit: '100.1',
  },
  {
    ...nobody,
    reference: 'R2',
    fullName: 'Anders Ek',
    city: 'malmö',
    gender: 1,
    balance: '0.30',
    limit: '0.29',
  },
  { ...nobody, reference: 'R3' },
  { ...nobody, reference: 'R4', fullName: "Siân O'Neill", city: 'Ängelholm', gender: 1, balance: '-5.00' },
  { ...nobody, reference: 'R5', fullName: '100% Säker_AB\\', city: 'Zinkgruvan', gender: 0, active: false },
  {
    ...nobody,
    reference: 'R6',
    fullName: '\u00a0\u000b Örjan \t\n',
    city: 'Öland',
    gender: 2,
    balance: '12.50',
  },
  { ...nobody, reference: 'R7', fullName: '100 Säkra AB vvv', city: 'Åre', limit: '0.00' },
].map((person, index) => ({ ...person, ...details[index], personGuid: guid(index + 1), rank: index + 1 }))

before(async () => {
  database = await openTestDatabase()
  for (const table of ['person', 'stranger']) {
    await database.sql.unsafe(`create table ${table} (
      id uuid primary key, agent_id uuid, full_name text, city text, reference text not null, gender integer,
      rank integer not null, balance numeric(20, 2), limit_amount numeric(20, 2), under_aged boolean,
      active boolean not null, reg_date timestamptz, due_date timestamptz, created timestamptz not null)`)
  }
  await insertRows('person', population)
})
after(() => database.close())

async function insertRows(table: string, rows: Row[]) {
  const columns = rows.map((row) =>
    Object.fromEntries([...people.values()].map(({ name, column }) => [column.slice(2), row[name] ?? null])),
  )
  await database.sql`insert into ${database.sql(table)} ${database.sql(columns)}`
}

async function matchingRanks(table: string, source: string): Promise<number[]> {
  const { text, parameters } = compileFilter(people, source, filterOptions)
  const rows = await database.sql.unsafe<{ rank: number }[]>(
    `select p.rank from ${table} p where ${text} order by p.rank`,
    parameters,
  )
  return rows.map(({ rank }) => rank)
}

/** Each filter with the people it must find, as the digits of their ranks. */
async function check(expected: Record<string, string>) {
  for (const [source, found] of Object.entries(expected)) {
    assert.equal((await matchingRanks('person', source)).join(''), found, source)
  }
}

test('null beside every operator, plain and negated', () =>
  check({
    "city eq 'Malmö'": '1',
    "not (city eq 'Malmö')": '234567',
    "city ne 'Malmö'": '234567',
    "not (city ne 'Malmö')": '1',
    'city eq null': '3',
    'not (null ne city)': '3',
    'city ne null': '124567',
    'gender gt 1': '16',
    'not (gender gt 1)': '23457',
    'not (1 lt gender)': '23457',
    'gender le null': '',
    'not (gender le null)': '1234567',
    'agentGuid eq null': '134567',
    "city in ('Malmö','Öland')": '16',
    "not (city in ('Malmö','Öland'))": '23457',
    "city in ('Malmö',null)": '13',
    "not city in ('Malmö',null)": '24567',
    'underAged in (true,null)': '23567',
    'not (underAged in (true))': '13457',
    underAged: '26',
    'not underAged': '14',
    'not underAged eq true': '14',
    'underAged eq false or underAged eq null': '13457',
    'underAged ne true': '13457',
    "contains(city,'l')": '1246',
    "not contains(city,'l')": '57',
  }))

test('not, and, or with nulls among them', () =>
  check({
    "not (city eq 'Malmö' and gender eq 2)": '234567',
    "not (city eq 'Malmö' or gender eq 1)": '3567',
    "not (not (city eq 'Malmö'))": '1',
    "not (contains(city,'l') and underAged)": '1457',
    "not (contains(city,'l') or active)": '5',
    'active or underAged and rank gt 100': '123467',
    '(active or underAged) and rank gt 100': '',
  }))

test('properties beside properties', () =>
  check({
    'city eq reference': '1',
    'not (city eq reference)': '234567',
    'balance eq limit': '13',
    'balance ne limit': '24567',
    'balance gt limit': '2',
    'not (balance gt limit)': '134567',
    'regDate eq dueDate': '34',
    'rank gt gender': '2456',
    'date(regDate) eq date(dueDate)': '134',
    'concat(city,reference) eq null': '3',
  }))

test('comparisons of comparisons', () =>
  check({
    '(gender gt 1) eq (rank gt 3)': '236',
    '(gender gt 1) ne (rank gt 3)': '1457',
    "(city eq 'Malmö') eq false": '234567',
    "contains(city,'l') eq false": '57',
    "not (contains(city,'l') eq false)": '12346',
    "contains(city,'l') eq null": '3',
    "(contains(city,'l') or underAged) eq null": '357',
    'rank gt 5 eq true': '67',
    'true gt underAged': '14',
  }))

test('texts: exact equality, patterns taken literally, Swedish order', () =>
  check({
    "city eq 'malmö'": '2',
    "tolower(city) eq 'malmö'": '12',
    "toupper(city) eq 'ÅRE'": '7',
    "contains(fullName,'100%')": '5',
    "contains(fullName,'r_A')": '5',
    "contains(fullName,'r A')": '',
    "endswith(fullName,'\\')": '5',
    "startswith(fullName,'100')": '57',
    "startswith(fullName,'%')": '',
    "contains(fullName,'')": '124567',
    "contains(fullName,'O''N')": '4',
    "contains('Malmö och Åre',city)": '17',
    "startswith('Malmö',reference)": '1',
    "endswith('xÅre',city)": '7',
    "trim(fullName) eq 'Örjan'": '6',
    "trim(concat(' ',fullName)) eq '100 Säkra AB vvv'": '7',
    'length(city) eq 3': '7',
    "indexof(city,'l') eq 2": '12',
    "indexof(city,'x') eq -1": '124567',
    "city gt 'Z'": '4567',
    "city ge 'Åre'": '467',
    "city gt 'Öa'": '6',
    "city lt 'malmö'": '',
    "not (city lt 'n')": '34567',
  }))

test('money is exact', () =>
  check({
    'balance eq 100.1': '1',
    'balance eq 0.3': '2',
    'balance eq 3e-1': '2',
    'balance eq 9007199254740993.01': '5',
    'balance ge 9007199254740993.02': '',
    'limit in (9007199254740993.02,0)': '57',
    'balance lt 0': '4',
    'balance gt -5.01 and balance lt 1': '24',
    'gender eq 1.5': '',
    'gender gt 0.5': '1246',
    'gender in (1,1.5)': '24',
  }))

test('date-times to the microsecond, years, days and their parts in UTC', () =>
  check({
    'regDate eq 2024-02-29T23:59:59.999999Z': '1',
    'regDate eq 2024-03-01T00:59:59.999999+01:00': '1',
    'regDate gt 2024-02-29T23:59:59.999999Z': '256',
    'regDate in (2024-02-29T23:59:59.999999Z,2025-01-01)': '15',
    'regDate eq 2024-03-01': '2',
    "regDate ge '2024-03-01'": '256',
    'year(regDate) eq 2024': '126',
    'year(regDate) ne 2024': '3457',
    'not (year(regDate) ne 2024)': '126',
    'year(regDate) lt 2024': '4',
    'not (year(regDate) lt 2024)': '123567',
    'year(regDate) gt 2024': '5',
    'year(regDate) in (2023,2025)': '45',
    'year(regDate) lt 10000': '12456',
    'date(regDate) eq 2024-02-29': '1',
    'date(regDate) gt 2024-02-29': '256',
    "date(regDate) in ('2024-02-29',2024-12-31)": '16',
    'date(regDate) le 9999-12-31': '12456',
    'month(regDate) eq 12 and day(regDate) eq 31': '46',
    'hour(regDate) eq 23 and minute(regDate) eq 30': '4',
    'second(regDate) eq 59': '16',
    'second(dueDate) eq 30': '7',
    'regDate lt now()': '12456',
    'year(now()) eq 2026 and rank eq 1': '1',
    'created ge 0001-01-01T00:00:00+14:00 and rank eq 1': '1',
    'created lt 9999-12-31T23:59:59.999999-14:00 and rank eq 1': '1',
  }))

test('GUIDs in any case, bare or quoted', () =>
  check({
    'agentGuid eq E3B0C442-98FC-1C14-9AFB-F4C8996FB924': '2',
    "agentGuid ne 'e3b0c442-98fc-1c14-9afb-f4c8996fb924'": '134567',
    [`personGuid in (${guid(1)},'${guid(7)}')`]: '17',
    'agentGuid in (e3b0c442-98fc-1c14-9afb-f4c8996fb924,null)': '1234567',
  }))

const arbitraryValue = (type: ValueType, nullable: boolean) =>
  fc.constantFrom(...sampleValues[type], ...(nullable ? [null, null] : []))

test('any condition finds the rows that its meaning says', async () => {
  const row = fc.record(
    Object.fromEntries(
      [...people.values()].map(({ name, type, nullable }) => [name, arbitraryValue(type, nullable)]),
    ),
  )
  const strangers: Row[] = fc
    .sample(row, { numRuns: 60, seed: 7 })
    .map((stranger, index) => ({ ...stranger, personGuid: guid(index), rank: index }))
  await insertRows('stranger', strangers)
  await fc.assert(
    fc.asyncProperty(conditions, async (condition) => {
      const expected = strangers.filter((stranger) => evaluate(condition, stranger) === true)
      assert.deepEqual(
        await matchingRanks('stranger', printExpression(condition)),
        expected.map(({ rank }) => rank),
      )
    }),
    { numRuns: 400 },
  )
})

/** The ranks in that order, once the reversed order has been seen to be its mirror. */
async function readOrder(source: string | undefined) {
  const { text, reversedText } = compileOrder(people, source, { collation: 'fordra_order', key: 'p.id' })
  const [forth, back] = await Promise.all(
    [text, reversedText].map(async (list) => {
      const rows = await database.sql.unsafe<{ rank: number }[]>(
        `select p.rank from person p order by ${list}`,
      )
      return rows.map(({ rank }) => rank)
    }),
  )
  assert.deepEqual(back?.toReversed(), forth, source)
  return forth?.join('')
}

test('orders: Swedish letters last, nulls first ascending and last descending, and the exact opposite', async () => {
  assert.equal(await readOrder(undefined), '1234567')
  assert.equal(await readOrder('city'), '3215746')
  assert.equal(await readOrder('city desc'), '6475123')
  assert.equal(await readOrder('gender'), '3752416')
  assert.equal(await readOrder('gender desc'), '6142573')
  assert.equal(await readOrder('gender desc, city'), '1624537')
  assert.equal(await readOrder('balance'), '3742615')
  assert.equal(await readOrder('underAged, regDate desc'), '5731462')
})

test('one index serves both directions, and a literal beginning uses its own', async () => {
  const plan = (text: string, parameters: string[] = []) =>
    database.sql.begin(async (transaction) => {
      await transaction`set local enable_seqscan = off`
      const lines = await transaction.unsafe<{ 'QUERY PLAN': string }[]>(
        `explain (costs off) ${text}`,
        parameters,
      )
      return lines.map((line) => line['QUERY PLAN']).join('\n')
    })
  await database.sql.unsafe(`
    create index person_city on person (city collate fordra_order asc nulls first, id);
    create index person_reference on person (reference collate fordra_order asc nulls first, id);
    create index person_name on person (full_name text_pattern_ops)`)
  for (const source of ['city', 'city desc', 'reference', 'reference desc']) {
    const { text, reversedText } = compileOrder(people, source, { collation: 'fordra_order', key: 'p.id' })
    for (const list of [text, reversedText]) {
      const found = await plan(`select p.id from person p order by ${list} limit 3`)
      assert.match(found, /Index (Only )?Scan/, list)
      assert.doesNotMatch(found, /Sort/, list)
    }
  }
  const filter = compileFilter(people, "startswith(fullName,'Anders')", filterOptions)
  const found = await plan(`select p.id from person p where ${filter.text}`, filter.parameters as string[])
  assert.match(found, /person_name/)
})
