import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { demoColumns, generateDebtors } from './debtors.ts'
import { writeDemo, type DemoProgress } from './write-demo.ts'

/** What a reader gets who makes texts of all values and takes empty cells for no value. */
const expected = (seed: number, count: number) =>
  [...generateDebtors({ seed, count })].map((debtor, index) => ({
    sourceReference: `DEMO-${seed}-${String(index + 1).padStart(6, '0')}`,
    ...Object.fromEntries(demoColumns.map((column) => [column, String(debtor[column] ?? '')])),
  }))

describe('a demo file', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fordra-demo-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('gives its rows back when it is read as CSV', async () => {
    const out = join(folder, 'debtors.csv')
    const reports: DemoProgress[] = []
    const file = await writeDemo({
      debtors: 12_345,
      seed: 3,
      out,
      report: (progress) => reports.push(progress),
    })
    const text = await readFile(out, 'utf8')
    assert.deepEqual(file, { out, format: 'csv', debtors: 12_345, bytes: (await stat(out)).size })
    assert.deepEqual(parse(text, { columns: true }), expected(3, 12_345))
    assert.equal(text.split('\r\n')[0], `sourceReference,${demoColumns.join(',')}`)
    assert.deepEqual(reports, [
      { written: 10_000, debtors: 12_345 },
      { written: 12_345, debtors: 12_345 },
    ])
    // A spreadsheet would take a cell that begins like this for a formula.
    assert.doesNotMatch(text, /(?:^|,)"?[=+@\t-]/m)
  })

  it('is NDJSON by its ending, without members that have no value', async () => {
    const out = join(folder, 'debtors.ndjson')
    const file = await writeDemo({ debtors: 200, seed: 1, out, report: () => undefined })
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n')
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.equal(file.format, 'ndjson')
    assert.deepEqual(
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
      ),
      expected(1, 200).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')),
      ),
    )
  })

  it('is of the format that is asked for, and may be empty', async () => {
    const out = join(folder, 'empty.txt')
    await writeDemo({ debtors: 0, seed: 1, out, format: 'ndjson', report: () => undefined })
    assert.equal(await readFile(out, 'utf8'), '')
  })

  it('is not there when the numbers are out of range', async () => {
    const out = join(folder, 'never.csv')
    await assert.rejects(writeDemo({ debtors: -1, seed: 1, out, report: () => undefined }), RangeError)
    assert.ok(!(await readdir(folder)).some((name) => name.startsWith('never')))
  })
})
