/** Plays a case day by day with the business date set, and checks what D7 shows and that the books are right. */
import assert from 'node:assert/strict'
import type { RegisterCaseInput } from '../../contract/case-inputs.ts'
import type { CaseDetail, CaseExplanation } from '../../contract/cases.ts'
import type { TestApi } from '../testing/api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor } from './cases-for-tests.ts'
import type { CaseContext } from './case-lock.ts'
import { closeCase, reopenCase } from './case-status.ts'
import { changeTerms } from './case-terms.ts'
import { addFee, addInvoice, creditInvoice, registerWriteOff } from './movements.ts'
import { registerPayment } from './payments.ts'
import { reversePayment } from './reverse-payment.ts'
import { registerCase } from './register-case.ts'

/** Where a scenario stands. */
export interface Stage {
  api: TestApi
  context: CaseContext
  debtorGuid: string
  caseGuid: string
  /** Guids by the name that a step gave. */
  named: Map<string, string>
}

export type Event = (stage: Stage) => Promise<unknown>

/** A day, what happens on it, what then remains, and how the case then stands. */
export type Step = [
  day: string,
  event: Event | null,
  principal: number,
  interest: number,
  fee: number,
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

/** Several events on one day. */
export const all =
  (...events: Event[]): Event =>
  async (stage) => {
    for (const event of events) await event(stage)
  }

export interface Scenario {
  client: string
  play(registered: RegisterCaseInput & { on?: string }, steps: readonly Step[]): Promise<Stage>
}

/** Cases of 10,000 in SEK at 10 % a year from 1 January 2026, unless a scenario registers another. */
export async function openScenario(api: TestApi): Promise<Scenario> {
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
      debtorGuid,
      caseGuid: made.caseGuid,
      named: new Map(),
    }
    for (const step of steps) await playStep(stage, step)
    await assertExplained(stage)
    await assertProven(api)
    return stage
  }
  return { client, play }
}

async function playStep(stage: Stage, [day, event, principal, interest, costs, status]: Step): Promise<void> {
  const { api, debtorGuid, caseGuid } = stage
  await api.setDate(day)
  stage.context = contextOn(day)
  await event?.(stage)
  const { body } = await api.call<CaseDetail>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}`)
  const about = `${day} ${JSON.stringify(body)}`
  assert.deepEqual(
    [body.remainingPrincipal, body.remainingInterest, body.remainingFee],
    [principal, interest, costs],
    about,
  )
  if (status !== undefined) assert.equal(body.closureCode ?? body.status, status, about)
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
    assert.equal(sum.toFixed(3), amount.toFixed(3), figure)
    if (figure in detail) assert.equal(detail[figure], amount, figure)
  }
}
