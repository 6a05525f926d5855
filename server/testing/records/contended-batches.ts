/** Imports and bulk actions that meet on the same debtors and cases, each in the opposite order every second time. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { imports, type ImportedKind } from '../../integration/imports/kinds/kinds.ts'
import { applyStrategies } from '../../collection/strategies/apply-strategies.ts'
import { assignStrategy, insertStrategy } from '../../collection/strategies/strategies.store.ts'
import { postFile } from '../../treasury/bank-files/post-entries.ts'
import { receivePaymentFile } from '../../treasury/bank-files/receive-file.ts'
import { assignCases } from '../../work/work.changes.ts'
import { agencyCaller, contextOn } from './cases.ts'
import { today, type Contention, type Operation } from './contended-changes.ts'
import { makeBgMax } from './files.ts'

type Row = Record<string, string | number>

const { origin } = contextOn(today)

/** A Swedish personal identity number of a person born on 1 January 1990, with its check digit. */
function makePersonalNumber(serial: number): string {
  const digits = `900101${String(serial).padStart(3, '0')}`
  const sum = [...digits].reduce((all, digit, place) => {
    const weighed = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return all + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return `19${digits}${(10 - (sum % 10)) % 10}`
}
const inOrder = <T>(list: readonly T[], turn: number): T[] => (turn % 2 ? list.toReversed() : [...list])

export interface Batches {
  imports: Record<string, Operation>
  bulkActions: Record<string, Operation>
  close(): void
}

export async function makeBatches(contention: Contention): Promise<Batches> {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-contended-'))
  const stage = await openStage(contention, folder)
  return {
    imports: { ...makeMoneyImports(stage), ...makeRecordImports(stage) },
    bulkActions: await makeBulkActions(contention),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface Stage extends Contention {
  run(what: ImportedKind, rows: readonly Row[]): Promise<void>
  cases: readonly { reference: string; payment: string }[]
  debtors: readonly { reference: string }[]
}

async function openStage(contention: Contention, folder: string): Promise<Stage> {
  const { sql, caseGuids, debtorGuids } = contention
  let files = 0
  return {
    ...contention,
    cases: await sql<{ reference: string; payment: string }[]>`
      select case_number as reference, payment_reference_number as payment from debt_case
      where id = any(${caseGuids}::uuid[]) order by id`,
    debtors: await sql<{ reference: string }[]>`
      select debtor_reference as reference from debtor where id = any(${debtorGuids}::uuid[]) order by id`,
    run: async (what, rows) => {
      const file = join(folder, `${++files}.csv`)
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
      const lines = rows.map((row) => columns.map((name) => row[name] ?? '').join(','))
      writeFileSync(file, [columns.join(','), ...lines, ''].join('\n'))
      const source = `s${files}`
      const report = await imports[what](
        sql,
        { file, source, mappings: [], allowDuplicates: true, rejectedFile: `${file}.rejected` },
        { countryCode: 'SE', currencyCode: 'SEK' },
      )
      assert.ok(report.complete)
    },
  }
}

const party = 'CLIENT'

/** Imports that book on the cases. */
const makeMoneyImports = ({ run, cases, debtors, stage }: Stage): Record<string, Operation> => ({
  payments: (turn) =>
    run(
      'payments',
      inOrder(
        [
          ...cases.map(({ reference }) => ({ caseReference: reference, amount: 5 })),
          ...cases.map(({ payment }) => ({ paymentReferenceNumber: payment, amount: 3 })),
          ...debtors.map(({ reference }) => ({ debtorReference: reference, amount: 7 })),
        ],
        turn,
      ),
    ),
  invoices: (turn) =>
    run(
      'invoices',
      inOrder(
        cases.map(({ reference }) => ({ caseReference: reference, principal: 10, dueDate: today })),
        turn,
      ),
    ),
  plans: (turn) =>
    run(
      'plans',
      inOrder(
        cases.map(({ reference }) => ({
          debtorReference: debtors[turn % 2]!.reference,
          caseReferences: reference,
          paymentPlanType: 1,
          numberOfPayments: 6,
          active: 1,
        })),
        turn,
      ),
    ),
  cases: (turn) =>
    run(
      'cases',
      inOrder(
        debtors.map(({ reference }) => ({
          partyReferenceCode: party,
          debtorReference: reference,
          principal: 1,
          currencyCode: 'SEK',
        })),
        turn,
      ),
    ),
  dates: (turn) => stage.api.setDate(turn % 2 ? '2026-01-16' : today),
})

/** Imports of new records whose names two imports have in common. */
function makeRecordImports({ run, debtors }: Stage): Record<string, Operation> {
  let round = 0
  const shared = (turn: number) => (turn === 0 ? round++ : round) >> 1
  return {
    debtors: (turn) => {
      const first = 4 * shared(turn)
      const numbers = [1, 2, 3, 4].map((one) => ({
        idNumber: makePersonalNumber(first + one),
        lastname: 'Ek',
      }))
      return run('debtors', inOrder(numbers, turn))
    },
    customers: (turn) => {
      const number = shared(turn)
      const rows = [1, 2, 3].map((one) => ({
        sourceReference: `${round}-${one}-${turn}`,
        partyReferenceCode: party,
        customerNumber: `K${number}-${one}`,
        name: 'Ek',
        debtorReference: debtors[one % 2]!.reference,
      }))
      return run('customers', inOrder(rows, turn))
    },
    parties: (turn) => {
      const number = shared(turn)
      const rows = [1, 2, 3].map((one) => ({ partyReferenceCode: `P${number}-${one}`, name: 'Kund' }))
      return run('parties', inOrder(rows, turn))
    },
    users: (turn) => {
      const number = shared(turn)
      const rows = [1, 2, 3].map((one) => ({
        partyReferenceCode: party,
        email: `u${number}-${one}@agency.example`,
        fullName: 'Bo Ek',
        userRole: 6,
      }))
      return run('users', inOrder(rows, turn))
    },
  }
}

async function startStrategy({ sql, stage }: Contention): Promise<void> {
  const strategy = {
    code: 'BULK',
    name: 'Bulk',
    source: '',
    unverified: false,
    steps: [
      {
        code: 'REMIND',
        status: 'NEW' as const,
        afterDays: 0,
        actions: [
          { kind: 'letter' as const, letter: 'reminder' as const },
          { kind: 'status' as const, status: 'AMICABLE' as const, subStatus: 'DEMAND_SENT' as const },
        ],
      },
    ],
  }
  await insertStrategy(sql, strategy)
  await assignStrategy(sql, stage.client, 'BULK')
}

/** Bulk actions of the console send the operation of each case, all at once; the others are one transaction. */
async function makeBulkActions(contention: Contention): Promise<Record<string, Operation>> {
  const { sql, caseGuids, stage } = contention
  const { api } = stage
  const userGuid = await api.addUser({ email: 'bulk@agency.example', password: 'a long enough password' })
  await startStrategy(contention)
  const onEach = (type: string, body: object) => (turn: number) =>
    Promise.all(
      inOrder(caseGuids, turn).map(async (caseGuid) => {
        const path = `/system/forms/case/${type}?id=${caseGuid}`
        const etag = (await api.call('GET', `/cases/${caseGuid}`)).headers.get('etag')
        const { status } = await api.call('PATCH', path, {
          body,
          ...(etag && { headers: { 'if-match': etag } }),
        })
        assert.ok(status < 500, `${type}: ${status}`)
      }),
    )
  let serial = 100
  const references = await sql<{ payment: string }[]>`
    select payment_reference_number as payment from debt_case where id = any(${caseGuids}::uuid[]) order by id`
  return {
    bulkHold: onEach('hold', { reason: 'HOLD_DISPUTE' }),
    bulkResume: onEach('resume', {}),
    bulkStatus: (turn) => onEach('status', { status: turn % 2 ? 'NEW' : 'SURVEILLANCE' })(turn),
    bulkNote: (turn) =>
      Promise.all(
        inOrder(caseGuids, turn).map((guid) =>
          api.call('POST', `/system/forms/note/create?id=${guid}`, { body: { text: 'Called.' } }),
        ),
      ),
    bulkHandler: (turn) =>
      assignCases(
        sql,
        agencyCaller,
        { caseGuids: inOrder(caseGuids, turn), ownerGuid: turn % 2 ? userGuid : null },
        origin,
      ),
    bulkStrategy: async () => {
      for (const guid of caseGuids) await sql`delete from strategy_step_taken where case_id = ${guid}`
      await onEach('status', { status: 'NEW' })(0)
      await runChunks(sql, applyStrategies(), { ...origin, operation: 'day-end' })
    },
    bankFile: async (turn) => {
      const payments = inOrder(references, turn).map(({ payment }) => ({ reference: payment, amount: 200 }))
      const content = Buffer.from(makeBgMax(payments, { date: '20260115', serial: ++serial }), 'latin1')
      const { fileGuid } = await receivePaymentFile(sql, [content], {
        fileName: null,
        bytesMax: 1_000_000,
        origin,
      })
      await postFile(sql, fileGuid, { origin })
    },
  }
}
