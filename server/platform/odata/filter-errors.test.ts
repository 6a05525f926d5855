import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileFilter } from './filter.ts'
import { ODataError } from './odata-error.ts'
import { filterOptions, people } from '../../testing/records/people.ts'

/** Every word in the second half of a row must be in the message. */
type Row = [source: string, position: number, ...says: string[]]

function compileError(source: string): ODataError {
  try {
    compile(source)
  } catch (error) {
    if (error instanceof ODataError) return error
    throw error
  }
  return assert.fail(`Accepted: ${source.slice(0, 80)}`)
}

function check(rows: Row[]) {
  for (const [source, position, ...says] of rows) {
    const error = compileError(source)
    assert.equal(error.position, position, `${source} → ${error.message}`)
    assert.equal(error.option, '$filter')
    assert.ok(error.message.startsWith(`At position ${position}: `), error.message)
    for (const part of says) assert.ok(error.message.includes(part), `${source} → ${error.message}`)
  }
}

test('what is malformed', () => {
  check([
    ['', 0, 'the text ends here', 'Write a property'],
    ['   ', 3, 'the text ends here'],
    ['city', 0, "'city' (a text)", 'Compare it'],
    ['null', 0, 'null stands here, not a condition'],
    ['1 and true', 0, 'a number stands here, not a condition'],
    ["active and 'x'", 11, 'a text stands here, not a condition'],
    ['city eq', 7, 'the text ends here'],
    ['eq 1', 0, "'eq' stands here"],
    ['active and or active', 11, "'or' stands here"],
    ["city eq 'x' city eq 'y'", 12, "'city' stands here", 'Write an operator'],
    ["city eqq 'x'", 5, "'eqq' stands here", 'Did you mean eq'],
    ["(city eq 'x'", 12, 'the text ends here', 'close with )'],
    ["city eq 'x')", 11, "')' stands here and closes nothing"],
    ['()', 1, "')' stands here"],
    ['active,active', 6, "',' stands here"],
    ["city eq 'x", 8, 'never ends', "''"],
    ["city eq 'x''", 8, 'never ends'],
    ["city eq'x'", 7, "no blank stands after 'eq'"],
    ["city eq ('x')and active", 13, "no blank stands before 'and'"],
    ["city in('x')", 7, "no blank stands after 'in'"],
    ["contains (city,'a')", 0, "'contains' is not a property", 'contains(…)'],
    ["contains(city 'a')", 14, 'a quoted text stands here', 'close with )'],
    ['contains(city)', 13, "'contains' has 1 value", 'It takes 2'],
    ["contains(city,'a','b')", 18, "'contains' has 3 values", 'It takes 2'],
    ['now(1) lt regDate', 4, 'It takes 0'],
    ['length() eq 1', 7, 'It takes 1'],
    ['city in ()', 9, "')' stands here", 'one or more values'],
    ["city in 'x'", 8, 'a quoted text stands here', 'list in parentheses'],
    ['city in (fullName)', 9, "'fullName' stands here", 'Write a value'],
    ["city in ('a' 'b')", 13, 'a quoted text stands here', 'Write ,'],
    ["city in ('a',)", 13, "')' stands here"],
    ['null in (1)', 0, 'null stands before in'],
  ])
})

test('values of another type than their place asks for', () => {
  check([
    ['city eq 5', 8, 'a number stands here beside a text', 'quotes'],
    ['city eq true', 8, 'type mismatch', 'quotes'],
    ['city eq 2026-01-31', 8, 'a date stands here beside a text', 'quotes'],
    ["gender eq '1'", 10, 'a text stands here beside a whole number', 'without quotes'],
    ["balance eq '12.50'", 11, 'a text stands here beside a number', 'without quotes'],
    ["underAged eq 'true'", 13, 'beside true or false', 'without quotes'],
    ['underAged eq 1', 13, 'beside true or false'],
    ['regDate gt 5', 11, 'beside a date-time'],
    ['5 eq city', 0, 'quotes'],
    ['city eq balance', 8, "'balance' (a number) stands here beside a text"],
    ['regDate eq date(dueDate)', 11, "'date(…)' (a date)", 'Write date(…) around'],
    ['date(regDate) eq 2026-01-31T00:00:00Z', 17, 'Write a date, as in 2026-01-31'],
    ["contains(balance,'1')", 9, "'balance' (a number) stands here beside a text"],
    ['contains(city,5)', 14, 'a number stands here beside a text'],
    ['contains(city,null)', 14, 'null stands in the parentheses'],
    ['year(city) eq 5', 5, "'city' (a text)", 'a date-time'],
    ["city in ('a',5)", 13, 'a number stands here beside a text'],
    ["not city eq 'x'", 4, "not binds to 'city'", 'not (city eq …)'],
    ["not city gt 'x'", 4, 'not (city gt …)'],
    ['not 5', 4, 'not binds to a number alone'],
  ])
})

test('values out of range', () => {
  check([
    ['gender eq 2147483648', 10, 'from -2147483648 to 2147483647'],
    ['gender gt -2147483649', 10, 'does not fit'],
    ['gender lt 1e30', 10, 'does not fit'],
    [`balance eq ${'1'.repeat(39)}`, 11, 'a number of 39 digits', 'At most 38'],
    ['balance eq 1e39', 11, 'from -38 to 38'],
    ['balance eq 1e-99999999999999999999', 11, 'from -38 to 38'],
    ['regDate eq 2026-02-30', 11, 'no such day'],
    ['regDate eq 2025-02-29', 11, 'no such day'],
    ['regDate eq 0000-01-01', 11, '0001-01-01'],
    ['regDate eq 2026-13-01', 11, 'no such day'],
    ['regDate eq 2026-01-31T24:00:00Z', 11, 'from 00:00:00 to 23:59:59'],
    ['regDate eq 2026-01-31T23:59:60Z', 11, 'no such time'],
    ['regDate eq 2026-01-31T10:60Z', 11, 'no such time'],
    ['regDate eq 2026-01-31T10:00:00.1234567Z', 11, 'six decimals'],
    ['regDate eq 2026-01-31T10:00:00', 11, 'no offset', 'End it with Z'],
    ["regDate eq '2026-01-31T10:00:00'", 11, 'no offset'],
    ['regDate eq 2026-01-31T10:00:00+15:00', 11, 'no valid offset'],
    ['regDate eq 2026-01-31T10:00:00+0200', 11, '+hh:mm'],
    ['regDate eq 2026-01-31T', 11, 'not a date-time'],
    ['regDate eq 2026-01-31T10:00:00 02:00', 30, 'a blank stands', '%2B'],
    ["regDate eq '2026-01-31T10:00:00 02:00'", 11, 'a blank stands', '%2B'],
    ["regDate eq 'yesterday'", 11, 'not a date-time', '2026-01-31T13:45:00Z'],
    ["personGuid eq 'x'", 14, 'not a GUID', '3f2504e0'],
    ["date(regDate) eq '31.1.2026'", 17, 'not a date', '2026-01-31'],
  ])
})

test('names that do not exist', () => {
  check([
    ["ciyt eq 'x'", 0, "'ciyt' is not a property", 'Did you mean city'],
    ["fulname eq 'x'", 0, 'Did you mean fullName'],
    ['city eq Malm', 8, "'Malm' is not a property", 'The properties are personGuid, agentGuid', 'quotes'],
    ['reg gt now()', 0, 'Did you mean regDate'],
    ["contians(city,'a')", 0, "'contians' is not a function", 'Did you mean contains'],
    ['frobnicate(city) eq 1', 0, 'The functions are contains'],
    ["city('x')", 0, "'city' is not a function"],
    ['constructor eq 1', 0, "'constructor' is not a property"],
    ['tostring(city) eq 1', 0, "'tostring' is not a function"],
    ['hasownproperty(city)', 0, 'is not a function'],
  ])
})

test('what OData knows and this subset refuses is called by its name', () => {
  check([
    ['balance add 5 gt 6', 8, 'Arithmetic is not supported'],
    ['balance divby 5 gt 6', 8, 'Arithmetic'],
    ['-balance gt 6', 0, 'negation'],
    ['balance gt -INF', 11, '-INF'],
    ['balance lt INF', 11, 'INF and NaN'],
    ['balance eq NaN', 11, 'INF and NaN'],
    ['gender has 1', 7, 'has is not supported'],
    ["address/city eq 'x'", 7, 'Paths are not supported'],
    ['cases/any(c:c/x eq 1)', 5, 'Paths are not supported'],
    ['any(active)', 0, 'any and all'],
    ['city eq @p', 8, 'Parameter aliases'],
    ["$it eq 'x'", 0, '$it, $this and $root'],
    ['gender in [1,2]', 10, 'Arrays are not supported'],
    ['{"a":1} eq city', 0, 'Objects are not supported'],
    ["cast(city,'Edm.String') eq 'x'", 0, 'cast and isof'],
    ['geo.distance(city,city) lt 1', 0, 'Geography'],
    ["matchesPattern(city,'a')", 0, 'Patterns are not supported'],
    ['case(active:1,true:2) eq 1', 11, 'the character :'],
    ['case(active) eq 1', 0, 'case is not supported'],
    ["city eq duration'P1D'", 8, "the prefix 'duration'", 'without a prefix'],
    ["city eq binary'T0RhdGE'", 8, 'binaries'],
    ["city eq Model.Color'Red'", 8, 'enumerations'],
    ["personGuid eq guid'3f2504e0-4f89-41d3-9a0c-0305e82c3301'", 14, 'without a prefix'],
    ["Model.City eq 'x'", 0, 'Qualified names'],
    ["substringof('x',city)", 0, 'contains with the property first'],
    ["city like 'x%'", 5, 'contains('],
    ['city desc', 5, '$orderby'],
    ['gender = 1', 7, 'Write eq'],
    ['gender != 1', 7, 'Write ne'],
    ['gender > 1', 7, 'Write gt'],
    ['gender eq 1 && active', 12, 'Write and'],
    ['city eq "x"', 8, 'single quotes'],
    ['city eq ’x’', 8, 'single quotes'],
    ['city%20eq', 4, 'encoded twice'],
    ['gender eq 12L', 10, 'malformed', 'no suffix'],
    ['gender eq 1.', 10, 'malformed'],
    ['gender eq 5-3', 10, 'no arithmetic'],
    ['regDate eq 10:00:00', 11, 'no time of day'],
    ['city eq 🙂', 8, '🙂'],
  ])
})

test('a message repeats no value', () => {
  const number = '199001012384'
  for (const source of [
    `city eq ${number}`,
    `city eq 19900101-2384`,
    `city eq A${number}`,
    `gender eq '${number}'`,
    `balance eq ${number}x`,
    `personGuid eq '${number}'`,
    `regDate eq '${number}'`,
    `active '${number}'`,
    `active ${number}`,
    `p${number}(city)`,
    `p${number}'x' eq city`,
    `city eq '${number}`,
  ]) {
    assert.doesNotMatch(compileError(source).message, /19900101|2384/, source)
  }
})

const nested = (depth: number) => `${'('.repeat(depth)}active${')'.repeat(depth)}`
const list = (length: number) => `gender in (${Array.from({ length }, (_, index) => index).join(',')})`
const nodes = (terms: number) => Array.from({ length: terms }, () => 'active').join(' or ')
const compile = (source: string) => compileFilter(people, source, filterOptions)

test('limits are kept before any work is done', () => {
  compile(nested(32))
  compile(`${'not '.repeat(32)}active`)
  compile(list(100))
  compile(nodes(200))
  compile(`city eq '${'x'.repeat(3990)}'`)
  check([
    [nested(33), 32, 'nested too deeply', '32'],
    ['('.repeat(4000), 32, 'nested too deeply'],
    [`${'not '.repeat(33)}active`, 128, 'nested too deeply'],
    [`${'tolower('.repeat(400)}`, 256, 'nested too deeply'],
    [list(101), 301, 'At most 100 values'],
    [nodes(201), 2000, 'At most 400'],
    [`city eq '${'x'.repeat(3991)}'`, 4000, 'At most 4000 characters'],
    [`city eq '${'x'.repeat(5_000_000)}'`, 4000, 'At most 4000 characters'],
  ])
})

test('characters that have no place in a text', () => {
  check([
    ["city eq 'a\u0000'", 10, 'control character'],
    ["city\teq 'a'", 4, 'control character', 'blank'],
    ["city eq 'a\u0085'", 10, 'control character'],
    ["city eq 'a\ud800'", 10, 'surrogate'],
    ["city eq '\udc00\ud800'", 9, 'surrogate'],
    ["city\u00a0eq 'a'", 4],
  ])
})
