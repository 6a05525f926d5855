import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { sealAudit, verifyAudit } from '../../../platform/events/audit-seal.ts'
import {
  pickCounts,
  installation,
  openDebtorImports,
  makeImportRequest,
  type DebtorImports,
} from '../../../testing/records/debtors.ts'
import { debtorImport } from './debtors.ts'
import { importFile } from '../import-file.ts'

let imports: DebtorImports
beforeEach(async () => {
  imports = await openDebtorImports()
})
afterEach(() => imports.close())

const placed = 'lastname,zipCode,countryCode,fullAddress\nEk,21142,,\nAl,0150,NO,\nDal,,,\n'
const listPlaces = async (source: string) => {
  const rows = await imports.sql<{ name: string; zip: string | null; country: string | null }[]>`
    select lastname as name, zip_code as zip, country_code as country from debtor
    where source_reference like ${`${source}/%`} order by lastname`
  return rows.map(({ name, zip, country }) => [name, zip, country].join(' ').trimEnd())
}

describe('a file of debtors', () => {
  test('is imported with addresses, events and audit entries, as by D2', async () => {
    const report = await imports.importText(
      'sourceReference,idNumber,firstname,lastname,street,houseNo,zipCode,city,countryCode,cellularPhone\n' +
        'K-1,19900101-2385,Åsa,Lindqvist,Storgatan,12,21142,Malmö,SE,070-174 06 05\n' +
        'K-2,,,Ek,,,,,,\n',
    )
    assert.deepEqual(pickCounts(report), { rows: 2, inserted: 2, alreadyThere: 0, rejected: 0 })
    assert.equal(report.rejectedFile, null)
    const [debtor] = await imports.sql`
      select full_name, id_number, date_of_birth, gender, cellular_phone, zip_code, source_reference, event_sequence, reg_date
      from debtor where source_reference = 'test/K-1'`
    assert.deepEqual(
      { ...debtor },
      {
        full_name: 'Åsa Lindqvist',
        id_number: '19900101-2385',
        date_of_birth: '1990-01-01T00:00:00Z',
        gender: 2,
        cellular_phone: '+46701740605',
        zip_code: '211 42',
        source_reference: 'test/K-1',
        event_sequence: 2,
        reg_date: '2026-03-01T00:00:00Z',
      },
    )
    const [records] = await imports.sql`
      select (select count(*) from address where default_address) as addresses, (select count(*) from event) as events,
        (select count(*) from audit_entry where operation = 'import' and actor_id is null and request_id = ${report.runId}) as entries`
    assert.deepEqual({ ...records }, { addresses: 1, events: 3, entries: 3 })
  })

  test('has the usual country where an address names none, or the one for all rows, or none', async () => {
    await imports.importText(placed, { source: 'usual' })
    assert.deepEqual(await listPlaces('usual'), ['Al 0150 NO', 'Dal', 'Ek 211 42 SE'])
    await imports.importText(placed, { source: 'de', countryCode: 'de' })
    assert.deepEqual(await listPlaces('de'), ['Al 0150 NO', 'Dal', 'Ek 21142 DE'])
    await imports.importText(placed, { source: 'none', countryCode: 'none' })
    assert.deepEqual(await listPlaces('none'), ['Al 0150 NO', 'Dal', 'Ek 21142'])
  })

  test('has the country of the system settings before that of the environment', async () => {
    await imports.sql`update system_setting set settings = settings || '{"countryCode":"FI"}'`
    await imports.importText('lastname,zipCode\nEk,00100\n', { source: 'fi' })
    assert.deepEqual(await listPlaces('fi'), ['Ek 00100 FI'])
  })

  test('is found again whatever country is chosen, and has its zip codes checked by it', async () => {
    const text = 'lastname,zipCode\nEk,21142\nAl,nonsense\n'
    const first = await imports.importText(text)
    assert.deepEqual(pickCounts(first), { rows: 2, inserted: 1, alreadyThere: 0, rejected: 1 })
    const again = await imports.importText(text, { countryCode: 'none' })
    assert.deepEqual(pickCounts(again), { rows: 2, inserted: 1, alreadyThere: 1, rejected: 0 })
  })

  test('keeps the country of an identity number apart from that of the address', async () => {
    const report = await imports.importText(
      'lastname,zipCode,idNumber,idCountryCode\nBerg,21142,15108630024,NO\n',
    )
    assert.equal(report.inserted, 1)
    const [row] = await imports.sql`select country_code, id_country_code from debtor`
    assert.deepEqual({ ...row }, { country_code: 'SE', id_country_code: 'NO' })
  })

  test('is recorded as a run', async () => {
    const report = await imports.importText('lastname\nEk\nAl\n,\n'.replace(',\n', ''))
    const [found] = await imports.sql`
      select id, what, source, file_name, business_date, rows_read, inserted, complete, ended_at is not null as ended from import_run`
    assert.deepEqual(
      { ...found },
      {
        id: report.runId,
        what: 'debtors',
        source: 'test',
        file_name: '1.csv',
        business_date: '2026-03-01',
        rows_read: 2,
        inserted: 2,
        complete: true,
        ended: true,
      },
    )
  })

  test('may be NDJSON', async () => {
    const text =
      '{"sourceReference":1,"lastname":"Ek","juridicalType":0}\n{"fullName":"Ek AB","juridicalType":1}\n'
    const report = await imports.importText(text, {}, 'ndjson')
    assert.deepEqual(pickCounts(report), { rows: 2, inserted: 2, alreadyThere: 0, rejected: 0 })
    assert.equal(report.withoutReference, 1)
  })

  test('may have mapped headings', async () => {
    await imports.importText('Kund;Efternamn;Not\n7;Ek;x\n', {
      mappings: ['Kund=sourceReference', 'Efternamn=lastname', 'Not='],
    })
    assert.deepEqual(await imports.names(), ['Ek'])
  })

  test('with only a heading imports nothing', async () => {
    assert.deepEqual(pickCounts(await imports.importText('lastname\n')), {
      rows: 0,
      inserted: 0,
      alreadyThere: 0,
      rejected: 0,
    })
  })

  test('leaves a valid audit trail', async () => {
    await imports.importText('lastname\nEk\nAl\n')
    await sealAudit(imports.sql)
    assert.deepEqual((await verifyAudit(imports.sql)).brokenAt, null)
  })

  test('larger than a chunk is imported to its last row', async () => {
    const text = Array.from({ length: 2750 }, (_, n) => `R${n},Name ${n}\n`).join('')
    const shares: number[] = []
    const report = await importFile(
      imports.sql,
      debtorImport,
      makeImportRequest(await imports.write(`sourceReference,lastname\n${text}`)),
      {
        countryCode: 'SE',
        currencyCode: 'SEK',
        onProgress: ({ share }) => shares.push(share),
      },
    )
    assert.equal(report.inserted, 2750)
    assert.ok(shares.length >= 3)
    assert.equal(shares.at(-1), 1)
    const [stored] = await imports.sql`
      select count(distinct source_reference)::int as rows, max(substr(source_reference, 7)::int) as last from debtor`
    assert.deepEqual({ ...stored }, { rows: 2750, last: 2749 })
  })
})

describe('run again', () => {
  const text = 'sourceReference,lastname\n1,Ek\n2,Al\n3,Ask\n'
  test('it makes no duplicates', async () => {
    await imports.importText(text)
    assert.deepEqual(pickCounts(await imports.importText(text)), {
      rows: 3,
      inserted: 0,
      alreadyThere: 3,
      rejected: 0,
    })
    assert.equal((await imports.sql`select from event`).length, 3)
  })

  test('with more rows it imports the new ones', async () => {
    await imports.importText(text)
    const report = await imports.importText(`${text}4,Bok\n`)
    assert.deepEqual(pickCounts(report), { rows: 4, inserted: 1, alreadyThere: 3, rejected: 0 })
  })

  test('the same references of another source are other debtors', async () => {
    await imports.importText(text)
    assert.equal((await imports.importText(text, { source: 'other' })).inserted, 3)
  })

  test('rows without references are identified by their contents, whatever the order and format', async () => {
    const first = await imports.importText('lastname,city,gender\nEk,Lund,1\nEk,Lund,1\nAl,,\n')
    assert.deepEqual(pickCounts(first), { rows: 3, inserted: 3, alreadyThere: 0, rejected: 0 })
    assert.equal(first.withoutReference, 3)
    const again = await imports.importText('city;gender;lastname\n;;Al\nLund;1;Ek\nLund;1;Ek\nLund;1;Ek\n')
    assert.deepEqual(pickCounts(again), { rows: 4, inserted: 1, alreadyThere: 3, rejected: 0 })
    const json = '{"lastname":"Al"}\n{"gender":1,"lastname":"Ek","city":"Lund"}\n'
    assert.equal((await imports.importText(json, {}, 'ndjson')).alreadyThere, 2)
  })

  test('it continues after an interruption', async () => {
    const rows = Array.from({ length: 2500 }, (_, n) => `${n},Name ${n}\n`)
    const file = await imports.write(`sourceReference,lastname\n${rows.join('')}`)
    const stop = new AbortController()
    const report = await importFile(imports.sql, debtorImport, makeImportRequest(file), {
      countryCode: 'SE',
      currencyCode: 'SEK',
      stop: stop.signal,
      onProgress: () => stop.abort(),
    })
    assert.equal(report.complete, false)
    assert.ok(report.inserted > 0 && report.inserted < 2500, `${report.inserted} inserted`)
    assert.equal((await imports.sql`select complete from import_run`)[0]!['complete'], false)
    const rest = await imports.run(file)
    assert.equal(rest.complete, true)
    assert.deepEqual([rest.inserted, rest.alreadyThere], [2500 - report.inserted, report.inserted])
  })

  test('two concurrent imports make no duplicates', async () => {
    const rows = Array.from({ length: 1700 }, (_, n) => `${n},Name ${n}\n`)
    const file = await imports.write(`sourceReference,lastname\n${rows.join('')}`)
    const reports = await Promise.all([
      imports.run(file, { rejectedFile: `${file}.1` }),
      imports.run(file, { rejectedFile: `${file}.2` }),
    ])
    assert.equal(reports[0].inserted + reports[1].inserted, 1700)
    assert.equal(reports[0].alreadyThere + reports[1].alreadyThere, 1700)
    assert.equal((await imports.sql`select from debtor`).length, 1700)
  })
})

describe('nothing is imported', () => {
  test('when a heading is not a field', async () => {
    await assert.rejects(imports.importText('lastname,Ort\nEk,Lund\n'), /'Ort' is no field/)
    assert.deepEqual([...(await imports.sql`select from import_run`)], [])
  })
  test('when the source has no name', async () => {
    await assert.rejects(
      imports.importText('lastname\nEk\n', { source: 'a/b' }),
      /is not a valid source name/,
    )
  })
})

test('debtors are checked against the business date of their insertion, also when it changes meanwhile', async () => {
  const rows = Array.from({ length: 1200 }, (_, n) => `${n},N,2008-03-02\n`).join('')
  const file = await imports.write(`sourceReference,lastname,dateOfBirth\n${rows}`)
  let moved = Promise.resolve<unknown>(undefined)
  const report = await importFile(imports.sql, debtorImport, makeImportRequest(file), {
    ...installation,
    onProgress: ({ rows: done }) => {
      if (done < 1200) moved = imports.sql`update business_clock set business_date = '2026-03-02'`.execute()
    },
  })
  await moved
  assert.equal(report.inserted, 1200)
  const found = await imports.sql<{ day: string; minors: number; count: number }[]>`
    select reg_date::date as day, count(*) filter (where under_aged) as minors, count(*) as count from debtor group by 1`
  for (const { day, minors, count } of found) assert.equal(minors, day === '2026-03-01' ? count : 0)
})

test('debtors that wait for earlier chunks are checked again when the business date changes', async () => {
  // Two chunks share an identity number. The first cannot be inserted before the second has been checked.
  const file = await imports.write(
    'lastname,dateOfBirth,idNumber\nEk,2008-03-02,\nAl,,19900101-2385\nAsk,2008-03-02,\nBok,,19900101-2385\n',
  )
  const { sql } = imports
  const secondIsChecked = Promise.withResolvers<void>()
  const dateIsHeld = Promise.withResolvers<void>()
  const moved = sql.begin(async (tx) => {
    await tx`update business_clock set business_date = '2026-03-02'`
    dateIsHeld.resolve()
    await secondIsChecked.promise
  })
  await dateIsHeld.promise
  const kind = {
    ...debtorImport,
    rowsInChunk: 2,
    listNames: (made: Parameters<typeof debtorImport.listNames>[0]) => {
      if (made.record.lastname === 'Bok') secondIsChecked.resolve()
      return debtorImport.listNames(made)
    },
  }
  const report = await importFile(sql, kind, makeImportRequest(file), installation)
  await moved
  assert.equal(report.inserted, 3)
  const found = await sql`
    select reg_date::date::text as day, under_aged as minor from debtor where full_name in ('Ek', 'Ask')`
  assert.deepEqual(
    found.map((row) => ({ ...row })),
    ['Ek', 'Ask'].map(() => ({ day: '2026-03-02', minor: false })),
  )
})
