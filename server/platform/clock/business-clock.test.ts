/** The business date and what depends on it: minors and displayed addresses. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { localDate } from '../../../core/calendar/date-time.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
afterEach(() => api.setDate(null))
after(() => api.close())

const today = () => localDate('Europe/Stockholm', new Date())
const shownDate = async (node = api) =>
  (await node.call<{ systemDate: string }>('GET', '/system/information')).body.systemDate.slice(0, 10)
const make = async (path: string, body: object) => {
  const made = await api.call<Record<string, string>>('POST', path, { body })
  assert.equal(made.status, 201, made.text)
  return made.body
}
const makeDebtor = async (body: object = {}) =>
  (await make('/debtors', { lastname: 'Dated', ...body }))['debtorGuid']!
const read = async (debtorGuid: string) => {
  const { body } = await api.call<{ underAged: boolean | null }>('GET', `/debtors/${debtorGuid}`)
  return body
}
interface Shown {
  value: { city: string | null; underAged: boolean | null }[]
}
/** The city in the list, and the cities by which a filter finds the debtor. */
const shownCity = async (debtorGuid: string) => {
  const list = (filter: string) =>
    api.call<Shown>('GET', `/debtors?$filter=${encodeURIComponent(`debtorGuid eq ${debtorGuid}${filter}`)}`)
  const city = (await list('')).body.value[0]!.city
  const found = await list(city === null ? ' and city eq null' : ` and city eq '${city}'`)
  assert.equal(found.body.value.length, 1, 'the filter sees what the list shows')
  return city
}

describe('the date', () => {
  test('is the real date until it is set, and again after a reset', async () => {
    assert.equal(await shownDate(), today())
    for (const date of ['2031-05-17', '1999-12-31', '9999-12-31', '0001-01-01', '2028-02-29']) {
      await api.setDate(date)
      assert.equal(await shownDate(), date)
    }
    await api.setDate(null)
    assert.equal(await shownDate(), today())
  })

  test('that is invalid is refused, and nothing changes', async () => {
    await assert.rejects(api.setDate('2026-02-30'))
    assert.equal(await shownDate(), today())
  })

  test('is the registration date of a new debtor', async () => {
    await api.setDate('2031-05-17')
    const made = await make('/debtors', { lastname: 'New' })
    assert.equal(made['regDate'], '2031-05-17T00:00:00Z')
  })

  test('is the latest allowed birthday', async () => {
    const born = { lastname: 'Newborn', dateOfBirth: '2031-05-18' }
    await api.setDate('2031-05-17')
    assert.equal((await api.call('POST', '/debtors', { body: born })).status, 400)
    await api.setDate('2031-05-18')
    assert.equal((await api.call('POST', '/debtors', { body: born })).status, 201)
  })

  test('is the same on another node within a second, when set and reset, and stored for nodes started later', async () => {
    const second = await api.startNode()
    try {
      for (const date of ['2031-05-17', '2024-02-29', null]) {
        await api.setDate(date)
        await wait(1_000)
        assert.equal(await shownDate(second), date ?? today())
      }
      await second.setDate('2040-01-01')
      const third = await api.startNode()
      assert.equal(await shownDate(third), '2040-01-01')
      await third.close()
      await wait(1_000)
      assert.equal(await shownDate(), '2040-01-01')
    } finally {
      await second.close()
    }
  })

  test('set by two nodes at once is one of both, everywhere', async () => {
    const second = await api.startNode()
    try {
      await Promise.all([api.setDate('2031-01-01'), second.setDate('2032-02-02')])
      await wait(1_000)
      const date = await shownDate()
      assert.ok(['2031-01-01', '2032-02-02'].includes(date))
      assert.equal(await shownDate(second), date)
    } finally {
      await second.close()
    }
  })

  test('applies to this node as soon as it is set, even while an older value is being read', async () => {
    for (let number = 0; number < 40; number++) {
      const date = `2031-01-${String(1 + (number % 28)).padStart(2, '0')}`
      await api.setDate(date)
      for (let time = 0; time < 5; time++) {
        assert.equal(api.app.service.clock.today(), date)
        await wait(5)
      }
    }
  })
})

/** Date of birth, the last day as a minor, the first day of age. */
const births: [born: string, minor: string, adult: string][] = [
  ['2010-06-15', '2028-06-14', '2028-06-15'],
  ['2010-01-01', '2027-12-31', '2028-01-01'],
  ['2010-12-31', '2028-12-30', '2028-12-31'],
  ['2010-02-28', '2028-02-27', '2028-02-28'],
  ['2010-03-01', '2028-02-29', '2028-03-01'],
  ['2008-02-29', '2026-02-28', '2026-03-01'],
  ['1908-02-29', '1926-02-28', '1926-03-01'],
]

describe('the flag of a minor', () => {
  test('follows the date, day by day, in leaps, forward and back', async () => {
    await api.setDate('2010-12-31')
    const guids = await Promise.all(births.map(([dateOfBirth]) => makeDebtor({ dateOfBirth })))
    for (const [index, [born, minor, adult]] of births.entries()) {
      const steps: [date: string, underAged: boolean][] = [
        [minor, true],
        [adult, false],
        [minor, true],
        ['2200-01-01', false],
        [minor, true],
        ['1900-01-01', true],
        [adult, false],
        ['2011-01-01', adult > '2011-01-01'],
      ]
      for (const [date, underAged] of steps) {
        await api.setDate(date)
        assert.equal((await read(guids[index]!)).underAged, underAged, `${born} on ${date}`)
      }
    }
  })

  test('is the same whether the date changed before or after the debtor was created', async () => {
    for (const [dateOfBirth, minor, adult] of births) {
      for (const date of [minor, adult]) {
        await api.setDate(date)
        const made = await read(await makeDebtor({ dateOfBirth }))
        assert.equal(made.underAged, date === minor, `${dateOfBirth} on ${date}`)
      }
    }
  })

  test('is cleared with the date of birth, unless it is given', async () => {
    await api.setDate('2026-01-01')
    const change = async (guid: string, body: object) => {
      assert.equal((await api.call('PATCH', `/debtors/${guid}`, { body })).status, 200)
      return (await read(guid)).underAged
    }
    const guids = [
      await makeDebtor({ dateOfBirth: '2010-05-01T00:00:00Z' }),
      await makeDebtor({ dateOfBirth: '1980-05-01T00:00:00Z' }),
      await makeDebtor({ dateOfBirth: '1980-05-01T00:00:00Z' }),
    ]
    assert.equal(await change(guids[0]!, { dateOfBirth: '' }), null)
    assert.equal(await change(guids[1]!, { dateOfBirth: '' }), null)
    assert.equal(await change(guids[2]!, { dateOfBirth: '', underAged: true }), true)
    assert.equal(await change(guids[2]!, { lastname: 'Alm' }), true)
    assert.equal(await change(guids[2]!, { dateOfBirth: '1980-05-01T00:00:00Z' }), false)
  })

  test('without a date of birth stays as given', async () => {
    const guids = [
      await makeDebtor({ underAged: true }),
      await makeDebtor({ underAged: false }),
      await makeDebtor(),
    ]
    await api.setDate('2100-01-01')
    const found = await Promise.all(guids.map(read))
    assert.deepEqual(
      found.map(({ underAged }) => underAged),
      [true, false, null],
    )
  })

  test('can be filtered with the right total, before and after', async () => {
    const list = async () => {
      const filter = encodeURIComponent("startswith(fullName,'Filtered') and underAged eq true")
      return (await api.call<{ total: number }>('GET', `/debtors?$filter=${filter}&$top=1`)).body.total
    }
    await api.setDate('2020-01-01')
    for (const dateOfBirth of ['2002-01-01', '2002-01-02', '2002-01-03']) {
      await makeDebtor({ lastname: 'Filtered', dateOfBirth })
    }
    const totals: number[] = []
    for (const date of ['2020-01-01', '2020-01-02', '2020-01-03', '2020-01-01']) {
      await api.setDate(date)
      totals.push(await list())
    }
    assert.deepEqual(totals, [2, 1, 0, 2])
  })
})

describe('the displayed address', () => {
  const validities: [about: string, address: object, days: [date: string, shown: boolean][]][] = [
    [
      'is one that becomes valid',
      { validFrom: '2031-03-10' },
      [
        ['2031-03-09', false],
        ['2031-03-10', true],
        ['2031-03-09', false],
        ['2050-01-01', true],
      ],
    ],
    [
      'is none that was valid to its last day',
      { validTo: '2031-03-10' },
      [
        ['2031-03-10', true],
        ['2031-03-11', false],
        ['2031-03-10', true],
        ['2050-01-01', false],
        ['2000-01-01', true],
      ],
    ],
    [
      'is valid between two days only',
      { validFrom: '2031-03-10', validTo: '2031-03-10' },
      [
        ['2031-03-09', false],
        ['2031-03-10', true],
        ['2031-03-11', false],
        ['2031-03-09', false],
        ['2031-03-10', true],
      ],
    ],
    [
      'is none from the day on which it was marked not valid',
      { addressNotValidDate: '2031-03-10' },
      [
        ['2031-03-09', true],
        ['2031-03-10', false],
        ['2031-03-09', true],
        ['2050-01-01', false],
      ],
    ],
  ]
  for (const [about, address, days] of validities) {
    test(about, async () => {
      await api.setDate('2025-01-01')
      const guid = await makeDebtor({ street: 'Storgatan', city: 'Lund' })
      await make(`/debtors/${guid}/addresses`, { city: 'Malmö', defaultAddress: true, ...address })
      for (const [date, shown] of days) {
        await api.setDate(date)
        assert.equal(await shownCity(guid), shown ? 'Malmö' : null, date)
      }
    })
  }

  test('is the same whether the date changed before or after the address was written', async () => {
    for (const [about, address, days] of validities) {
      for (const [date, shown] of days) {
        await api.setDate(date)
        const guid = await makeDebtor()
        await make(`/debtors/${guid}/addresses`, { city: 'Malmö', defaultAddress: true, ...address })
        assert.equal(await shownCity(guid), shown ? 'Malmö' : null, `${about}: ${date}`)
      }
    }
  })
})
