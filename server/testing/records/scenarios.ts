/** Plays a case day by day with the business date set, and checks what D7 shows and that the books are right. */
import { agencyItself } from '../../platform/http/caller.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RegisterCaseInput } from '../../../contract/cases/case-inputs.ts'
import type { CaseDetail, CaseOverview } from '../../../contract/cases/cases.ts'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import { startApi, type TestApi } from '../api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, runDayEnd } from './cases.ts'
import type { CaseContext } from '../../claims/case-lock.ts'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { closeCase, reopenCase } from '../../cases/case-status.ts'
import { holdCase } from '../../cases/holds/hold-case.ts'
import { changeTerms } from '../../cases/case-terms.ts'
import { refundCredit, useCredit } from '../../payments/credit.ts'
import { interruptLimitation } from '../../cases/limitation/interrupt-limitation.ts'
import { addFee, addInvoice, creditInvoice, registerWriteOff } from '../../cases/movements.ts'
import { registerPayment } from '../../payments/payments.ts'
import { setReferenceRate } from '../../ledger/rates/reference-rates.changes.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { registerCase } from '../../cases/register-case.ts'

/** Where a scenario stands. */
export interface Stage {
  api: TestApi
  context: CaseContext
  clientGuid: string
  debtorGuid: string
  caseGuid: string
  /** Guids by the name that a step gave. */
  named: Map<string, string>
}

export type Event = (stage: Stage) => Promise<unknown>

/** A day, what happens on it, what then remains of each and in all, and how the case then stands. */
export type Step = [
  day: string,
  event: Event | null,
  principal: number,
  interest: number,
  cost: number,
  remaining: number,
  status?: string,
]

/** Money in; `more` for value date, payer's reference, third party; `as` names it for `reverse`. */
export const pay =
  (amount: number, more: object = {}, as = 'payment'): Event =>
  async ({ api, context, caseGuid, named }) => {
    const made = await registerPayment(api.sql, agencyCaller, { caseGuid, amount, ...more }, context)
    named.set(as, made.paymentGuid)
  }

export const reverse =
  (as = 'payment'): Event =>
  ({ api, context, named }) =>
    reversePayment(
      api.sql,
      agencyCaller,
      { paymentGuid: named.get(as)!, input: { reason: 'bounced' } },
      context,
    )

export const fee =
  (amount: number, more: object = {}): Event =>
  ({ api, context, caseGuid }) =>
    addFee(api.sql, agencyCaller, { caseGuid, input: { feeType: 'reminder', amount, ...more } }, context)

export const invoice =
  (input: object, as = 'invoice'): Event =>
  async ({ api, context, caseGuid, named }) => {
    const made = await addInvoice(api.sql, agencyCaller, { caseGuid, input }, context)
    named.set(as, made.invoiceGuid)
  }

export const credit =
  (amount: number, as: string | null = null, more: object = {}): Event =>
  async ({ api, context, caseGuid, named }) => {
    const [first] = await api.sql`select id from invoice where case_id = ${caseGuid} and number = 1`
    const invoiceGuid = as === null ? (first!['id'] as string) : named.get(as)!
    await creditInvoice(api.sql, agencyCaller, { invoiceGuid, input: { amount, ...more } }, context)
  }

export const writeOff =
  (amount: number, more: object = {}): Event =>
  ({ api, context, caseGuid }) =>
    registerWriteOff(api.sql, agencyCaller, { caseGuid, input: { amount, ...more } }, context)

export const terms =
  (input: object): Event =>
  ({ api, context, caseGuid }) =>
    changeTerms(api.sql, agencyCaller, { caseGuid, input }, context)

export const close =
  (closureCode: string): Event =>
  ({ api, context, caseGuid }) =>
    closeCase(api.sql, agencyCaller, { caseGuid, input: { closureCode } }, context)

export const reopen: Event = ({ api, context, caseGuid }) =>
  reopenCase(api.sql, agencyCaller, { caseGuid }, context)

export const hold =
  (reason: string): Event =>
  ({ api, context, caseGuid }) =>
    holdCase(api.sql, agencyCaller, { caseGuid, input: { reason } }, context)

/** What a night does. */
export const dayEnd: Event = ({ api, context }) => runDayEnd(api.sql, context.origin)

export const interrupt =
  (interruption: string): Event =>
  ({ api, context, caseGuid }) =>
    interruptLimitation(api.sql, agencyCaller, { caseGuid, input: { interruption } }, context)

/** A rate that is published, or corrected, for a series. */
export const rate =
  (interestSeries: string, validFrom: string, percent: number): Event =>
  ({ api: { sql }, context }) =>
    setReferenceRate(
      sql,
      { input: { interestSeries, validFrom, rate: percent } },
      { caller: agencyItself, ...context },
    )

/** Another debtor who owes the case too. */
export const addDebtor =
  (as: string): Event =>
  async ({ api, context, caseGuid, named }) => {
    const debtorGuid = await makeDebtor(api)
    await addCaseDebtor(
      api.sql,
      agencyCaller,
      { caseGuid, input: { debtorGuid, debtorRole: 'CO_DEBTOR' } },
      context,
    )
    named.set(as, debtorGuid)
  }

/** Money for whatever a debtor owes: the main debtor's, or the named one's. */
export const payAsDebtor =
  (amount: number, as: string | null = null): Event =>
  async ({ api, context, debtorGuid, named }) => {
    const payer = as === null ? debtorGuid : named.get(as)!
    const made = await registerPayment(api.sql, agencyCaller, { debtorGuid: payer, amount }, context)
    named.set('payment', made.paymentGuid)
  }

/** One more case of the same debtor, on the same terms. */
export const anotherCase =
  (principal: number, as: string): Event =>
  async ({ api, context, debtorGuid, clientGuid, named }) => {
    const input = { clientGuid, debtorGuid, currencyCode: 'SEK', principal, interestRate: 10 }
    named.set(as, (await registerCase(api.sql, agencyCaller, input, context)).caseGuid)
  }

export const refund =
  (amount: number): Event =>
  ({ api, context, caseGuid }) =>
    refundCredit(api.sql, agencyCaller, { caseGuid, input: { amount } }, context)

/** The debtor's credit pays on the named case. */
export const useOn =
  (as: string, amount: number): Event =>
  ({ api, context, named }) =>
    useCredit(api.sql, agencyCaller, { caseGuid: named.get(as)!, input: { amount } }, context)

/** What the case holds for the debtor, in minor units, and what a third party got of it. */
export const holds =
  (minorCredit: number, minorThirdParty = 0): Event =>
  async ({ api, caseGuid }) => {
    const [row] = await api.sql`
      select credit, paid_to_third_party as "thirdParty" from debt_case where id = ${caseGuid}`
    assert.deepEqual({ ...row }, { credit: minorCredit, thirdParty: minorThirdParty })
  }

/** What then remains on the named case. */
export const remainsOn =
  (as: string, principal: number, interest: number, cost: number): Event =>
  async ({ api, debtorGuid, named }) =>
    assert.deepEqual(await readRemaining(api, debtorGuid, named.get(as)!), [principal, interest, cost])

/** The named debtor's view of the case and of all that they owe is the same. */
export const owedBy =
  (as: string, remaining: number): Event =>
  async ({ api, caseGuid, named }) => {
    const debtorGuid = named.get(as)!
    const shown = await readRemaining(api, debtorGuid, caseGuid)
    const { body } = await api.call<CaseOverview>('GET', `/debtors/${debtorGuid}/caseoverview`)
    const sum = shown.reduce((total, part) => total + part, 0)
    assert.deepEqual([Number(sum.toFixed(2)), body.remainingSum], [remaining, remaining])
  }

async function readRemaining(api: TestApi, debtorGuid: string, caseGuid: string): Promise<number[]> {
  const { body } = await api.call<CaseDetail>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}`)
  return [body.remainingPrincipal, body.remainingInterest, body.remainingFee]
}

/** Several events on one day. */
export const all =
  (...events: Event[]): Event =>
  async (stage) => {
    for (const event of events) await event(stage)
  }

interface Scenario {
  client: string
  play(registered: RegisterCaseInput & { on?: string }, steps: readonly Step[]): Promise<Stage>
}

export type ScenarioTable = readonly [about: string, registered: object, steps: readonly Step[]][]

/** Tests each scenario of a table, registered with what is `usual` unless it says otherwise. */
export function testScenarios(about: string, scenarios: ScenarioTable, usual: RegisterCaseInput = {}): void {
  describe(about, () => {
    let api: TestApi
    let scenario: Scenario
    before(async () => {
      api = await startApi()
      scenario = await openScenario(api)
    })
    after(() => api.close())
    for (const [name, registered, steps] of scenarios)
      test(name, async () => {
        await scenario.play({ ...usual, ...registered }, steps)
      })
  })
}

/** Cases of 10,000 in SEK at 10 % a year from 1 January 2026, unless a scenario registers another. */
async function openScenario(api: TestApi): Promise<Scenario> {
  const client = await api.addParty('SCENARIO')
  const play = async (
    { on = '2026-01-01', ...registered }: RegisterCaseInput & { on?: string },
    steps: readonly Step[],
  ) => {
    await api.setDate(on)
    const debtorGuid = await makeDebtor(api)
    const made = await registerCase(
      api.sql,
      agencyCaller,
      {
        clientGuid: client,
        debtorGuid,
        currencyCode: 'SEK',
        principal: 10_000,
        interestRate: 10,
        interestFromDate: on,
        ...registered,
      },
      contextOn(on),
    )
    const stage: Stage = {
      api,
      context: contextOn(on),
      clientGuid: client,
      debtorGuid,
      caseGuid: made.caseGuid,
      named: new Map(),
    }
    for (const step of steps) await playStep(stage, step)
    await assertExplained(stage)
    return stage
  }
  return { client, play }
}

async function playStep(
  stage: Stage,
  [day, event, principal, interest, cost, remaining, status]: Step,
): Promise<void> {
  const { api, debtorGuid, caseGuid } = stage
  await api.setDate(day)
  stage.context = contextOn(day)
  await event?.(stage)
  const { body } = await api.call<CaseDetail>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}`)
  const about = `${day} ${JSON.stringify(body)}`
  assert.deepEqual(
    [body.remainingPrincipal, body.remainingInterest, body.remainingFee, body.remainingSum],
    [principal, interest, cost, remaining],
    about,
  )
  if (status !== undefined) assert.equal(body.closureCode ?? body.status, status, about)
  await assertProven(api)
}

/** Every line sums up, and the figures are those of D7. */
async function assertExplained({ api, debtorGuid, caseGuid }: Stage): Promise<void> {
  const path = `/debtors/${debtorGuid}/cases/${caseGuid}`
  const [{ body: detail }, { body: explained }] = await Promise.all([
    api.call<Record<string, unknown>>('GET', path),
    api.call<CaseExplanation>('GET', `${path}/explain`),
  ])
  for (const { figure, amount, lines } of explained.figures) {
    const sum = lines.reduce((total, line) => total + line.amount, 0)
    assert.ok(Math.abs(sum - amount) < 0.000_01, `${figure}: ${sum} is not ${amount}`)
    if (figure in detail) assert.equal(detail[figure], amount, figure)
  }
}
