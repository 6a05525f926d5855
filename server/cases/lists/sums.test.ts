/** The sums of a list's amounts by currency: of all rows that match and that the caller may see, and of no others. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AllCasesItem } from '../../../contract/cases/all-cases.ts'
import { amounts } from '../../../contract/cases/cases.ts'
import { fromMinor, readAmount } from '../../../core/money/money.ts'
import { ListMemory, type Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, openCases, today, type OpenedCases } from '../../testing/records/cases.ts'
import { listAllCases } from '../all-cases.store.ts'

let api: TestApi
let cases: OpenedCases
/** Restricted to one client, and to two. */
const tokens: (string | undefined)[] = [undefined]
let debtorGuid = ''
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  const third = await api.addParty('THIRD')
  const clients = [cases.client, cases.other, third]
  for (let index = 0; index < 36; index++) {
    const currencyCode = ['SEK', 'NOK', 'JPY', 'KWD'][index % 4]!
    const principal = currencyCode === 'JPY' ? 1_000 + index : 1_000 + index + 0.1 * (index % 10)
    const given = index % 7 === 0 && debtorGuid !== '' ? { debtorGuid } : {}
    const input = {
      clientGuid: clients[index % 3]!,
      principal,
      currencyCode,
      dueDate: '2025-01-01',
      ...given,
    }
    const made = await cases.register(input)
    debtorGuid ||= made.debtorGuid
    if (index % 5 === 0) await cases.pay({ caseGuid: made.caseGuid, amount: 17 + index, currencyCode })
  }
  tokens.push(await api.signIn(6, cases.other))
  tokens.push(await restrict(await api.signIn(3), 'CLIENT, THIRD'))
})
after(() => api.close())

async function restrict(token: string, references: string): Promise<string> {
  const { body } = await api.call<{ uniqueId: string }>('GET', '/users/current', { token })
  const path = `/system/forms/user/edit?id=${body.uniqueId}`
  const changed = await api.call('PATCH', path, { body: { clientRestriction: references } })
  assert.equal(changed.status, 200, changed.text)
  return token
}

type Sums = NonNullable<Page<unknown>['sums']>

const read = async (path: string, query: Record<string, string>, token = api.token) => {
  const found = await api.call<Page<AllCasesItem>>('GET', `${path}?${new URLSearchParams(query)}`, { token })
  assert.equal(found.status, 200, found.text)
  return found.body
}

/** Added up row by row, in whole minor units. */
async function addRows(path: string, query: Record<string, string>, token?: string): Promise<Sums> {
  const rows: AllCasesItem[] = []
  for (let total = 1; rows.length < total;) {
    const page = await read(path, { ...query, $top: '10', $skip: String(rows.length) }, token)
    rows.push(...page.value)
    total = page.total
  }
  const byCurrency = Object.entries(Object.groupBy(rows, ({ currencyCode }) => currencyCode)).toSorted()
  return byCurrency.map(([currencyCode, some = []]) => {
    const sum = (name: (typeof amounts)[number]) =>
      some.reduce((all, row) => {
        const minor = readAmount(row[name], currencyCode)
        assert.ok(minor.ok)
        return all + minor.minor
      }, 0n)
    const sums = amounts.map((name) => [name, fromMinor(sum(name), currencyCode)])
    return { currencyCode, count: some.length, amounts: Object.fromEntries(sums) as Record<string, number> }
  })
}

const draw = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!
const drawCondition = (): string =>
  draw([
    () => `remainingSum ${draw(['gt', 'le'])} ${1_000 + Math.floor(Math.random() * 60)}`,
    () => `currencyCode ${draw(['eq', 'ne'])} '${draw(['SEK', 'NOK', 'JPY', 'KWD'])}'`,
    () => `paidSum ${draw(['eq', 'gt'])} 0`,
    () => `clientName in ('${draw(['CLIENT', 'OTHER'])}','THIRD')`,
    () => `contains(mainDebtorName,'${draw(['dena', 'xyz'])}')`,
    () => `status ${draw(['eq', 'ne'])} 'CLOSED'`,
  ])()
const drawFilter = () =>
  Math.random() < 0.1
    ? ''
    : draw([
        drawCondition,
        () => `${drawCondition()} ${draw(['and', 'or'])} ${drawCondition()}`,
        () => `not (${drawCondition()})`,
      ])()

test('listAllCases and listCases add up what a drawn filter matches, within the restriction', async () => {
  const sums = amounts.join(',')
  let found = 0
  for (let run = 0; run < 40; run++) {
    const filter = drawFilter()
    const query: Record<string, string> = filter === '' ? {} : { $filter: filter }
    const [token, path] = [draw(tokens), draw(['/cases', `/debtors/${debtorGuid}/cases`])]
    const expected = await addRows(path, query, token)
    const pages: Record<string, string>[] = [
      { $top: '0' },
      { $top: '1', $skip: '1' },
      { $orderby: 'clientName desc' },
    ]
    for (const page of pages) {
      const answer = await read(path, { ...query, ...page, sums }, token)
      assert.deepEqual(answer.sums, expected, `${path} ${filter} ${JSON.stringify(page)}`)
      assert.equal(
        answer.total,
        expected.reduce((all, { count }) => all + count, 0),
      )
    }
    found += expected.length
  }
  assert.ok(found > 30)
})

test('a creditor gets other sums than the agency, and a list without `sums` has none', async () => {
  const [all, one, two] = await Promise.all(
    tokens.map((token) => read('/cases', { $top: '0', sums: 'remainingSum' }, token)),
  )
  assert.deepEqual(
    [all, one, two].map((page) => page!.total),
    [36, 12, 24],
  )
  assert.deepEqual(new Set([all, one, two].map((page) => JSON.stringify(page!.sums))).size, 3)
  assert.equal('sums' in (await read('/cases', {})), false)
})

test('the sums are of the members that are named, in any case, and of nothing else', async () => {
  const { sums } = await read('/cases', { $top: '0', sums: 'remainingsum, paidSum,paidSum' })
  assert.deepEqual(Object.keys(sums![0]!.amounts), ['remainingSum', 'paidSum'])
  const wrong = [
    ['remainingSun', /Did you mean remainingSum/],
    ['caseNumber', /The amounts are originalPrincipal/],
    ['', /The amounts are/],
    ['constructor', /The amounts are/],
  ] as const
  for (const [text, message] of wrong)
    assertProblem(await api.call('GET', `/cases?sums=${text}`), 'invalid', message)
  assertProblem(await api.call('GET', '/debtors?sums=remainingSum'), 'invalid', /sums/)
  assertProblem(
    await api.call('GET', '/cases?sums=paidSum&asOf=2026-06-01T00:00:00Z'),
    'invalid',
    /Leave out asOf/,
  )
})

test('sums beyond the exact integers of a double are rounded once, at the end', async () => {
  const most = 9_999_999_999_999.99
  const made = [1, 2, 3].map(() => cases.register({ principal: most, currencyCode: 'EUR' }))
  await Promise.all(made)
  const { sums } = await read('/cases', {
    $top: '0',
    $filter: "currencyCode eq 'EUR'",
    sums: 'originalPrincipal',
  })
  assert.deepEqual(sums, [
    { currencyCode: 'EUR', count: 3, amounts: { originalPrincipal: 29_999_999_999_999.97 } },
  ])
})

test('what takes too long to add up is null beside the exact total, and the list goes on', async () => {
  const totals = new ListMemory(null, { sumsLimitMs: 30 })
  const list = (query: object) => listAllCases(api.sql, agencyCaller, query, { totals, today })
  await api.sql.begin(async (tx) => {
    await tx`lock table debt_case in access exclusive mode`
    const { total, sums } = await list({ $top: 0, sums: 'remainingSum' })
    assert.deepEqual([total, sums], [39, null])
  })
  const page = await list({ $top: 1 })
  assert.deepEqual([page.total, page.count], [39, 1])
})
