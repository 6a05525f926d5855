import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileFilter } from './filter.ts'
import { filterOptions, people } from '../../testing/records/people.ts'
import type { Parameter } from '../database/statement.ts'

type Row = [source: string, text: string, ...parameters: Parameter[]]

function check(rows: Row[]) {
  for (const [source, text, ...parameters] of rows) {
    const sql = compileFilter(people, source, filterOptions)
    assert.deepEqual({ text: sql.text, parameters: sql.parameters }, { text, parameters }, source)
  }
}

test('null semantics: each row of the table, plain and under not', () => {
  check([
    ["city eq 'x'", 'p.city = $1::text', 'x'],
    ["not (city eq 'x')", 'p.city IS DISTINCT FROM $1::text', 'x'],
    ["city ne 'x'", 'p.city IS DISTINCT FROM $1::text', 'x'],
    ["not (city ne 'x')", 'p.city = $1::text', 'x'],
    ["reference ne 'x'", 'p.reference <> $1::text', 'x'],
    ["not (reference eq 'x')", 'p.reference <> $1::text', 'x'],
    ['city eq fullName', 'p.city IS NOT DISTINCT FROM p.full_name'],
    ['not (city eq fullName)', 'p.city IS DISTINCT FROM p.full_name'],
    ['city ne fullName', 'p.city IS DISTINCT FROM p.full_name'],
    ['city eq reference', 'p.city = p.reference'],
    ['not (city eq reference)', 'p.city IS DISTINCT FROM p.reference'],
    ['city eq null', 'p.city IS NULL'],
    ['city ne null', 'p.city IS NOT NULL'],
    ['not (city eq null)', 'p.city IS NOT NULL'],
    ['null eq city', 'p.city IS NULL'],
    ['null eq null', 'TRUE'],
    ['null ne null', 'FALSE'],
    ['gender gt null', 'FALSE'],
    ['not (null le gender)', 'TRUE'],
    ['gender gt 1', 'p.gender > $1::integer', 1],
    ['not (gender gt 1)', '(p.gender <= $1::integer OR p.gender IS NULL)', 1],
    ['not (rank gt 1)', 'p.rank <= $1::integer', 1],
    [
      'not (balance lt limit)',
      '(p.balance >= p.limit_amount OR p.balance IS NULL OR p.limit_amount IS NULL)',
    ],
    ["city in ('a','b')", 'p.city = ANY($1::text[])', ['a', 'b']],
    ["not (city in ('a','b'))", '(p.city <> ALL($1::text[]) OR p.city IS NULL)', ['a', 'b']],
    ["not city in ('a')", '(p.city <> ALL($1::text[]) OR p.city IS NULL)', ['a']],
    ["city in ('a',null)", '(p.city = ANY($1::text[]) OR p.city IS NULL)', ['a']],
    ["not (city in ('a',null))", '(p.city <> ALL($1::text[]) AND p.city IS NOT NULL)', ['a']],
    ["not (reference in ('a',null))", 'p.reference <> ALL($1::text[])', ['a']],
    ['city in (null)', 'p.city IS NULL'],
    ['not (city in (null))', 'p.city IS NOT NULL'],
    ['underAged', 'p.under_aged'],
    ['not underAged', 'NOT p.under_aged'],
    ['not(underAged)', 'NOT p.under_aged'],
    ["not contains(city,'a')", 'NOT (p.city LIKE $1::text)', '%a%'],
    ['true', 'TRUE'],
    ['not true', 'FALSE'],
  ])
})

test('not is pushed through and, or and itself', () => {
  check([
    ["not (city eq 'x' and underAged)", '(p.city IS DISTINCT FROM $1::text OR NOT p.under_aged)', 'x'],
    ["not (city eq 'x' or not underAged)", '(p.city IS DISTINCT FROM $1::text AND p.under_aged)', 'x'],
    ["not not (city eq 'x')", 'p.city = $1::text', 'x'],
  ])
})

test('precedence: and over or, relations over equality, not over eq, in over not', () => {
  check([
    ['active or underAged and active', '(p.active OR (p.under_aged AND p.active))'],
    ['(active or underAged) and active', '((p.active OR p.under_aged) AND p.active)'],
    ['active and underAged and active', '(p.active AND p.under_aged AND p.active)'],
    ['not underAged eq true', '(NOT p.under_aged) = $1::boolean', true],
    ['true eq rank gt 1', '((p.rank > $1::integer) IS TRUE) = $2::boolean', 1, true],
    ['rank eq 1 eq true', '((p.rank = $1::integer) IS TRUE) = $2::boolean', 1, true],
  ])
})

test('a comparison is a value that is never null', () => {
  check([
    [
      '(gender gt 1) eq (gender lt 5)',
      '((p.gender > $1::integer) IS TRUE) = ((p.gender < $2::integer) IS TRUE)',
      1,
      5,
    ],
    [
      "(contains(city,'a') and underAged) eq underAged",
      '((p.city LIKE $1::text) AND p.under_aged) IS NOT DISTINCT FROM p.under_aged',
      '%a%',
    ],
    ['not (underAged gt active)', '(p.under_aged <= p.active OR p.under_aged IS NULL)'],
    [
      "(not contains(city,'a')) in (true,null)",
      '((NOT (p.city LIKE $1::text)) = ANY($2::text[]::boolean[])) IS NOT FALSE',
      '%a%',
      ['true'],
    ],
  ])
})

test('literals take the type of the other side, on whichever side they stand', () => {
  check([
    ["'x' eq city", 'p.city = $1::text', 'x'],
    ["'x' lt city", 'p.city COLLATE fordra_order > $1::text', 'x'],
    ['5 ge gender', 'p.gender <= $1::integer', 5],
    ["city eq 'O''Neill'", 'p.city = $1::text', "O'Neill"],
    ["city eq ''", 'p.city = $1::text', ''],
    ['gender eq -0', 'p.gender = $1::integer', 0],
    ['gender eq 1.5', 'p.gender = $1::numeric', '1.5'],
    ['gender in (1,1.5)', 'p.gender = ANY($1::numeric[])', ['1', '1.5']],
    ['gender in (1,2)', 'p.gender = ANY($1::integer[])', [1, 2]],
    ['balance eq 9007199254740993.01', 'p.balance = $1::numeric', '9007199254740993.01'],
    ['balance gt +1E-3', 'p.balance > $1::numeric', '1e-3'],
    ['balance eq 1', 'p.balance = $1::numeric', '1'],
    ['gender lt balance', 'p.gender < p.balance'],
    ['underAged eq TRUE', 'p.under_aged = $1::boolean', true],
    ['regDate eq 2026-01-31', 'p.reg_date = $1::timestamptz', '2026-01-31T00:00:00Z'],
    ["regDate eq '2026-01-31'", 'p.reg_date = $1::timestamptz', '2026-01-31T00:00:00Z'],
    ['regDate gt 2026-01-31t13:45z', 'p.reg_date > $1::timestamptz', '2026-01-31T13:45:00Z'],
    [
      "regDate gt '2026-01-31T13:45:10.5+01:00'",
      'p.reg_date > $1::timestamptz',
      '2026-01-31T13:45:10.5+01:00',
    ],
    [
      'regDate gt 2026-01-31T13:45:10.1234560Z',
      'p.reg_date > $1::timestamptz',
      '2026-01-31T13:45:10.123456Z',
    ],
    ['regDate lt now()', 'p.reg_date < $1::timestamptz', '2026-06-15T12:00:00Z'],
    [
      'personGuid eq 3F2504E0-4F89-41D3-9A0C-0305E82C3301',
      'p.id = $1::uuid',
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    ],
    [
      "personGuid in ('3F2504E0-4F89-41D3-9A0C-0305E82C3301',e3b0c442-98fc-1c14-9afb-f4c8996fb924)",
      'p.id = ANY($1::uuid[])',
      ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'e3b0c442-98fc-1c14-9afb-f4c8996fb924'],
    ],
    [
      "1 eq 1.0 and 'a' lt 'b'",
      '($1::numeric = $2::numeric AND $3::text COLLATE fordra_order < $4::text)',
      '1',
      '1.0',
      'a',
      'b',
    ],
    ["2026-01-31 eq '2026-01-31'", '$1::date = $2::date', '2026-01-31', '2026-01-31'],
  ])
})

test('functions, their names in any case', () => {
  const trim = String.raw`btrim(p.city, E' \t\n\r\f\x0b\u00a0')`
  check([
    ["contains(city,'100%_\\')", '(p.city LIKE $1::text)', '%100\\%\\_\\\\%'],
    ["StartsWith( fullname , 'And' )", '(p.full_name LIKE $1::text)', 'And%'],
    ["endswith(city,'ö')", '(p.city LIKE $1::text)', '%ö'],
    ['contains(city,fullName)', '(position(p.full_name in p.city) > 0)'],
    ['startswith(city,fullName)', 'starts_with(p.city, p.full_name)'],
    ['endswith(city,fullName)', '(right(p.city, char_length(p.full_name)) = p.full_name)'],
    ["contains('Malmö',city)", '(position(p.city in $1::text) > 0)', 'Malmö'],
    ["tolower(city) eq 'x'", 'lower(p.city) = $1::text', 'x'],
    ["TOUPPER(city) ne 'X'", 'upper(p.city) IS DISTINCT FROM $1::text', 'X'],
    ["trim(city) eq 'x'", `${trim} = $1::text`, 'x'],
    ['length(city) gt 5', 'char_length(p.city) > $1::integer', 5],
    ['not (length(city) gt 5)', '(char_length(p.city) > $1::integer) IS NOT TRUE', 5],
    ["indexof(city,'x') eq -1", '(position($1::text in p.city) - 1) = $2::integer', 'x', -1],
    [
      "concat(concat(city,', '),fullName) eq 'x'",
      '((p.city || $1::text) || p.full_name) = $2::text',
      ', ',
      'x',
    ],
    ['month(regDate) eq 2', "extract(month from p.reg_date AT TIME ZONE 'UTC') = $1::integer", 2],
    ['second(regDate) lt 30', "floor(extract(second from p.reg_date AT TIME ZONE 'UTC')) < $1::integer", 30],
    [
      'year(now()) eq 2026',
      "extract(year from $1::timestamptz AT TIME ZONE 'UTC') = $2::integer",
      '2026-06-15T12:00:00Z',
      2026,
    ],
    [
      'date(regDate) eq date(dueDate)',
      "(p.reg_date AT TIME ZONE 'UTC')::date IS NOT DISTINCT FROM (p.due_date AT TIME ZONE 'UTC')::date",
    ],
  ])
})

test('years and days become ranges on the column', () => {
  const year = ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'] as const
  check([
    ['year(regDate) eq 2024', '(p.reg_date >= $1::timestamptz AND p.reg_date < $2::timestamptz)', ...year],
    ['2024 eq year(regDate)', '(p.reg_date >= $1::timestamptz AND p.reg_date < $2::timestamptz)', ...year],
    [
      'year(regDate) ne 2024',
      '(p.reg_date < $1::timestamptz OR p.reg_date >= $2::timestamptz OR p.reg_date IS NULL)',
      ...year,
    ],
    ['not (year(created) eq 2024)', '(p.created < $1::timestamptz OR p.created >= $2::timestamptz)', ...year],
    ['year(regDate) lt 2024', 'p.reg_date < $1::timestamptz', year[0]],
    ['year(regDate) le 2024', 'p.reg_date < $1::timestamptz', year[1]],
    ['year(regDate) gt 2024', 'p.reg_date >= $1::timestamptz', year[1]],
    ['year(regDate) ge 2024', 'p.reg_date >= $1::timestamptz', year[0]],
    ['not (year(regDate) ge 2024)', '(p.reg_date < $1::timestamptz OR p.reg_date IS NULL)', year[0]],
    ['not (year(created) gt 2024)', 'p.created < $1::timestamptz', year[1]],
    [
      'date(regDate) eq 2024-02-29',
      '(p.reg_date >= $1::timestamptz AND p.reg_date < $2::timestamptz)',
      '2024-02-29T00:00:00Z',
      '2024-03-01T00:00:00Z',
    ],
    ["date(regDate) gt '2024-12-31'", 'p.reg_date >= $1::timestamptz', '2025-01-01T00:00:00Z'],
    ['date(regDate) le 9999-12-31', "(p.reg_date AT TIME ZONE 'UTC')::date <= $1::date", '9999-12-31'],
    ['year(regDate) lt 10000', "extract(year from p.reg_date AT TIME ZONE 'UTC') < $1::integer", 10000],
    ['year(regDate) eq 2024.5', "extract(year from p.reg_date AT TIME ZONE 'UTC') = $1::numeric", '2024.5'],
  ])
})

test('placeholders start where they are told, and patterns are reported', () => {
  const later = { ...filterOptions, firstParameter: 7 }
  assert.deepEqual(compileFilter(people, "city eq 'a' or startswith(city,'b')", later), {
    text: '(p.city = $7::text OR (p.city LIKE $8::text))',
    parameters: ['a', 'b%'],
    properties: new Set([people.get('city')]),
    prefixes: new Map(),
    pieces: new Map(),
  })
})

test('the pieces are what the whole condition demands a property to contain', () => {
  const table: [string, string[] | undefined][] = [
    ["contains(fullName,'berg')", ['berg']],
    ["startswith(fullName,'An') and endswith(fullName,'son')", ['An', 'son']],
    ["contains(fullName,'berg') and city eq 'Lund'", ['berg']],
    ["contains(fullName,'berg') or contains(fullName,'son')", undefined],
    ["not contains(fullName,'berg')", undefined],
    ["contains('berg',fullName)", undefined],
    ["contains(tolower(fullName),'berg')", undefined],
  ]
  for (const [source, pieces] of table)
    assert.deepEqual(
      compileFilter(people, source, filterOptions).pieces.get(people.get('fullname')!),
      pieces,
      source,
    )
})

test('a prefix is what the whole condition demands of a property', () => {
  const table: [string, string[]][] = [
    ["startswith(city,'Mal')", ['Mal']],
    ["fullName ne 'x' and startswith(city,'Mal') and contains(city,'ö')", ['Mal']],
    ["startswith(city,'Mal') or city eq 'Lund'", []],
    ["not startswith(city,'Mal')", []],
    ["startswith(tolower(city),'mal')", []],
    ['startswith(city,fullName)', []],
    ["startswith('Malmö',city)", []],
    ["startswith(city,'')", []],
  ]
  for (const [source, prefixes] of table)
    assert.deepEqual([...compileFilter(people, source, filterOptions).prefixes.values()], prefixes, source)
})

test('the properties that a condition names, each once, wherever it names them', () => {
  const table: [string, string[]][] = [
    ["city eq 'a' and (CITY ne 'b' or not (city gt fullName))", ['city', 'fullname']],
    ["contains(tolower(city),'x')", ['city']],
    ["concat(city,fullName) in ('a','b')", ['city', 'fullname']],
    ["city in ('a',null)", ['city']],
    ['city eq null', ['city']],
    ['1 eq 1', []],
  ]
  for (const [source, names] of table)
    assert.deepEqual(
      compileFilter(people, source, filterOptions).properties,
      new Set(names.map((name) => people.get(name))),
      source,
    )
})

test('an expression for a column stands in parentheses', () => {
  const properties = new Map([
    ['any', { name: 'any', type: 'string', nullable: true, column: "a.x || ''" } as const],
  ])
  assert.equal(compileFilter(properties, "any eq 'x'", filterOptions).text, "(a.x || '') = $1::text")
})

test('the SQL grows with the filter, not with a power of it', () => {
  const chain = `rank eq 1${' eq true'.repeat(190)}`
  assert.ok(compileFilter(people, chain, filterOptions).text.length < 20 * chain.length)
  let nested = 'underAged'
  for (let depth = 0; depth < 10; depth++) nested = `(not (${nested} gt true)) in (true,null)`
  assert.ok(compileFilter(people, nested, filterOptions).text.length < 40 * nested.length)
})

test('a member with a lookup is found by its keys, and a prefix by a condition beside the filter', () => {
  const lookup = { key: 'p.id', select: (values: string, match: string) => `${match} of ${values}` }
  const found = new Map([...people, ['city', { ...people.get('city')!, lookup }]])
  const compile = (source: string) => compileFilter(found, source, filterOptions)
  assert.deepEqual(
    [
      "city eq 'a'",
      "'a' eq city",
      "city in ('a','b',null)",
      "not (city eq 'a')",
      'city eq null',
      'city eq fullName',
    ].map((source) => compile(source).text),
    [
      '(p.city = $1::text AND p.id = ANY(ARRAY(whole of ARRAY[$1::text])))',
      '(p.city = $1::text AND p.id = ANY(ARRAY(whole of ARRAY[$1::text])))',
      '((p.city = ANY($1::text[]) AND p.id = ANY(ARRAY(whole of $1::text[]))) OR p.city IS NULL)',
      'p.city IS DISTINCT FROM $1::text',
      'p.city IS NULL',
      'p.city IS NOT DISTINCT FROM p.full_name',
    ],
  )
  const { text, parameters, narrowing } = compile("startswith(city,'M%') and city ne 'x'")
  assert.deepEqual(
    [text, parameters],
    ['((p.city LIKE $1::text) AND p.city IS DISTINCT FROM $2::text)', ['M\\%%', 'x']],
  )
  assert.deepEqual(narrowing, { text: 'p.id IN (beginning of ARRAY[$3::text])', parameters: ['M%'] })
  assert.equal(compile("startswith(city,'M') or city eq 'x'").narrowing, undefined)
  const long = new Map([['city', { ...found.get('city')!, lookup: { ...lookup, shortestBeginning: 3 } }]])
  const narrow = (beginning: string) =>
    compileFilter(long, `startswith(city,'${beginning}')`, filterOptions).narrowing?.parameters
  assert.deepEqual([narrow('Ma'), narrow('Mal')], [undefined, ['Mal']])
})
