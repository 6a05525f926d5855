/** Rows of books that are not taken, each with its reason: nothing of them is stored, and the other rows go in. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { registerCase } from '../../../cases/register-case.ts'
import { verifyLedger } from '../../../ledger/verify-ledger.ts'
import { createPlan } from '../../../plans/plans.changes.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { agencyCaller, contextOn, makeDebtor } from '../../../testing/records/cases.ts'
import { pay } from '../../../testing/records/scenarios.ts'
import { exportForImport } from '../../exports/for-import/export-for-import.ts'
import { imports, type ImportedKind } from '../kinds/kinds.ts'

const today = '2026-06-15'
let folder = ''
let to: TestApi
/** A row of each kind, as the export writes it. */
const lines = new Map<ImportedKind, Record<string, unknown>>()
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fordra-rows-'))
  const api = await startApi()
  to = await startApi()
  await api.setDate(today)
  await to.setDate(today)
  const context = contextOn(today)
  const clientGuid = await api.addParty('KUND')
  const debtorGuid = await makeDebtor(api, {
    street: 'Storgatan',
    houseNo: '1',
    zipCode: '21142',
    city: 'Malmö',
  })
  const input = { clientGuid, debtorGuid, currencyCode: 'SEK', principal: 1000, interestRate: 10 }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, context)
  await pay(100)({ api, context, caseGuid, clientGuid, debtorGuid, named: new Map() })
  const plan = { paymentPlanType: 1 as const, numberOfPayments: 6, active: 1 as const }
  const { origin } = context
  const environment = { countryCode: 'SE', currencyCode: 'SEK' }
  await createPlan(api.sql, agencyCaller, { debtorGuid, input: plan }, { origin, environment })
  const { files } = await exportForImport(api.sql, { folder, format: 'ndjson' })
  for (const { what, file } of files)
    lines.set(
      what,
      JSON.parse((await readFile(join(folder, file), 'utf8')).split('\n', 1)[0]!) as Record<string, unknown>,
    )
  for (const what of ['parties', 'debtors'] as const) await tryLine(what, {})
  await api.close()
})
after(async () => {
  await to.close()
  await rm(folder, { recursive: true, force: true })
})

let files = 0
/** Imports the row with a change, and as one that is not there yet. */
async function tryLine(what: ImportedKind, change: object) {
  const file = join(folder, `line${++files}.ndjson`)
  const line = {
    ...lines.get(what),
    ...(lines.has(what) && files > 2 && { sourceReference: `L${files}` }),
    ...change,
  }
  await writeFile(file, `${JSON.stringify(line)}\n`)
  const rejectedFile = `${file}.rejected.csv`
  const request = { file, source: 'moved', mappings: [], allowDuplicates: false, rejectedFile }
  const report = await imports[what](to.sql, request, { countryCode: 'SE', currencyCode: 'SEK' })
  const reasons = report.rejectedFile === null ? '' : await readFile(report.rejectedFile, 'utf8')
  return { counts: [report.inserted, report.alreadyThere, report.rejected], reasons }
}

type Cases = [name: string, change: object, reason: RegExp][]
function rejects(what: ImportedKind, cases: Cases): void {
  for (const [name, change, reason] of cases)
    test(name, async () => {
      const made = await tryLine(what, change)
      assert.deepEqual(made.counts, [0, 0, 1], made.reasons)
      assert.match(made.reasons, reason)
    })
}

const movement = { kind: 'payment', valueDate: today, amount: 5 }
describe('a case with its history is rejected', () => {
  rejects('casehistories', [
    ['of no client', { partyReferenceCode: 'NOBODY' }, /partyReferenceCode,is not a client/],
    ['of no debtor', { debtorReference: 'NOBODY' }, /debtorReference,is not a debtor/],
    ['with a place that there is not', { subStatus: 'MOON' }, /sub-status of the status/],
    ['with an unknown closure', { closureCode: 'GONE', closureDate: today }, /closureCode/],
    ['with a share of no payment', { movements: [movement] }, /must name one of the payments/],
    ['with a fee without an amount', { movements: [{ kind: 'fee', valueDate: today }] }, /needs an amount/],
    ['that undoes what comes later', { movements: [{ kind: 'reversal', reverses: 3 }] }, /earlier movement/],
    [
      'with a movement before the registration',
      { movements: [{ ...movement, kind: 'fee', valueDate: '2020-01-01' }] },
      /before the registration/,
    ],
    [
      'with rates that there are not',
      { interestRate: null, interestSeries: 'XX' },
      /no reference rates of XX/,
    ],
    ['with interest below zero', { interestRate: '-1' }, /interestRate,must not be below zero/],
    ['with a country that there is not', { governingCountry: 'ZZ' }, /governingCountry/],
    ['with days of a year that are none', { dayCount: [{ from: 'ever' }] }, /dayCount/],
    [
      'with an interruption without a day',
      { interruptions: [{ interruption: 'DEMAND' }] },
      /need a date each/,
    ],
    ['with a hold that ends first', { holdFrom: today, holdUntil: '2026-06-01' }, /holdUntil/],
    ['registered tomorrow', { registrationDate: '2026-06-16' }, /business date/],
    ['with too many decimals', { fee: 1.234 }, /decimals/],
    ['with lists that are none', { invoices: 'many' }, /invoices/],
  ])
})

test('the case as it was is taken, once', async () => {
  assert.deepEqual((await tryLine('casehistories', { sourceReference: 'C' })).counts, [1, 0, 0])
  assert.deepEqual((await tryLine('casehistories', { sourceReference: 'C' })).counts, [0, 1, 0])
})

describe('a plan as it stands is rejected', () => {
  const inPlan = { active: true, claim: 900, movementsBefore: 1 }
  rejects('planhistories', [
    [
      'with a case that there is not',
      { cases: [{ ...inPlan, caseReference: 'NOTHING' }] },
      /'NOTHING' is not a case/,
    ],
    [
      'of no debtor',
      { debtorReference: 'NOBODY', cases: [{ ...inPlan, caseReference: 'C' }] },
      /debtorReference/,
    ],
    ['that ended for no reason', { active: 0 }, /endReason/],
    [
      'with more paid than due',
      { payments: [{ paymentNo: 1, dueDate: today, instalment: 5, paid: 6 }] },
      /no more paid/,
    ],
    [
      'with a case twice',
      { cases: [1, 2].map(() => ({ ...inPlan, caseReference: 'C' })) },
      /name a case twice/,
    ],
  ])
  test('but the plan as it was is taken, and its case is then in no other', async () => {
    const cases = [{ ...inPlan, caseReference: 'C' }]
    assert.deepEqual((await tryLine('planhistories', { cases })).counts, [1, 0, 0])
    assert.deepEqual((await verifyLedger(to.sql)).faults, [])
    const paymentPlanGuid = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e72'
    const again = await tryLine('planhistories', { cases, paymentPlanGuid })
    assert.match(again.reasons, /is in another active plan/)
  })
})

describe('a debtor is rejected', () => {
  const fresh = { keptReference: '1000504' }
  rejects('debtors', [
    ['with the reference of another one', {}, /belongs to another debtor/],
    ['with a reference whose check digit is wrong', { keptReference: '1000505' }, /check digit/],
    ['with a reference far beyond', { keptReference: '90000000000001' }, /too far beyond/],
    ['registered tomorrow', { ...fresh, regDate: '2026-06-16' }, /regDate/],
    ['with addresses and a main address', { ...fresh, street: 'Storgatan' }, /in place of the main address/],
    [
      'with an unknown type of address',
      { ...fresh, addresses: [{ addressType: 'MOON' }] },
      /lookup addresstype/,
    ],
    [
      'with an extra field twice',
      { ...fresh, extraFields: ['a', 'A'].map((name) => ({ name, value: [] })) },
      /twice/,
    ],
  ])
  test('but the same one with a reference of its own is taken, and the next one gets a higher number', async () => {
    assert.deepEqual((await tryLine('debtors', fresh)).counts, [1, 0, 0])
    const next = await makeDebtor(to)
    const { body } = await to.call<{ debtorReference: string }>('GET', `/debtors/${next}`)
    assert.ok(Number(body.debtorReference) > Number(fresh.keptReference), body.debtorReference)
  })
})

test('a client whose terms are refused is not there by halves', async () => {
  const refused = await tryLine('parties', {
    partyReferenceCode: 'HALF',
    name: 'Half',
    interestSeries: 'NOWHERE',
  })
  assert.deepEqual(refused.counts, [0, 0, 1])
  const [row] = await to.sql`select count(*)::int as parties from party where reference_code = 'HALF'`
  assert.equal(row!['parties'], 0)
})
