/** Payments that come with the cases they were shared among: each is made once, with its first case. */
import type { CarriedPayment } from '../../../../contract/integration/history-imports.ts'
import { makeId } from '../../../platform/database/make-id.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { ReadyRow } from '../import-kind.ts'
import type { Fault } from '../reading/row.ts'
import type { BuiltHistory } from './build-history.ts'
import * as store from './case-histories.store.ts'
import { day, type ReadHistory } from './read-history.ts'

type Ready = ReadyRow<ReadHistory>

export class CarriedPayments {
  /** By reference in the file. */
  readonly guids = new Map<string, string>()
  readonly #source: string
  readonly #debtors: ReadonlyMap<string, string>
  /** Those that are in the database, or will be by an earlier row. */
  readonly #made = new Set<string>()
  readonly #later: store.PaymentEnd[] = []

  private constructor(source: string, debtors: ReadonlyMap<string, string>) {
    this.#source = source
    this.#debtors = debtors
  }

  static async load(
    tx: Db,
    source: string,
    { ready, debtors }: { ready: readonly Ready[]; debtors: ReadonlyMap<string, string> },
  ): Promise<CarriedPayments> {
    const self = new CarriedPayments(source, debtors)
    const carried = ready.flatMap(({ made }) => made.row.payments ?? [])
    const references = [...new Set(carried.map(({ paymentReference }) => paymentReference ?? ''))]
    const stored = await store.findPayments(
      tx,
      references.map((one) => `${source}/${one}`),
    )
    for (const reference of references) {
      const guid = stored.get(`${source}/${reference}`)
      self.guids.set(reference, guid ?? makeId())
      if (guid !== undefined) self.#made.add(reference)
    }
    return self
  }

  faultsOf({ made }: Ready): Fault[] {
    return (made.row.payments ?? []).flatMap((one): Fault[] => {
      const fault = (reason: string) => [{ field: 'payments', reason: `'${one.paymentReference}' ${reason}` }]
      if (!one.paymentReference?.trim())
        return [{ field: 'payments', reason: 'need a paymentReference each.' }]
      if (made.payments.get(one.paymentReference) === 0n) return fault('needs an amount above zero.')
      if (!this.#debtors.has(one.debtorReference?.trim() ?? '')) return fault('names no debtor.')
      if ((day(one.reversedDate) === null) !== !one.reversalReason)
        return fault('needs reversedDate and reversalReason: both, or none.')
      return day(one.valueDate) === null ? fault('needs a value date.') : []
    })
  }

  /** Adds the payments that no earlier case brought. */
  addRows({ made, row }: Ready, built: BuiltHistory): void {
    for (const one of made.row.payments ?? []) {
      const reference = one.paymentReference!
      const isNew = !this.#made.has(reference)
      const isOwn = one.caseReference?.trim() === row.reference
      this.#made.add(reference)
      const end = { case_id: isOwn ? built.extras.id : null, ...reversal(one) }
      if (isNew) built.rows.payments.push({ ...this.#toRow(made, one), ...end })
      else if (end.case_id !== null || end.reversed_date !== null)
        this.#later.push({ id: this.guids.get(reference)!, ...end })
    }
  }

  #toRow(made: ReadHistory, one: CarriedPayment) {
    const valueDate = day(one.valueDate)!
    return {
      id: this.guids.get(one.paymentReference!)!,
      currency_code: made.currencyCode,
      amount: Number(made.payments.get(one.paymentReference!)!),
      value_date: valueDate,
      registered_date: day(one.registeredDate) ?? valueDate,
      payer_reference: one.payerReference ?? null,
      to_third_party: one.toThirdParty === true,
      debtor_id: this.#debtors.get(one.debtorReference!.trim())!,
      source_reference: `${this.#source}/${one.paymentReference}`,
      version: 1,
    }
  }

  /** What later cases tell of payments that earlier ones brought. */
  finish = (tx: Db): Promise<void> => store.endPayments(tx, this.#later)
}

const reversal = (one: CarriedPayment) => ({
  reversed_date: day(one.reversedDate),
  reversal_reason: one.reversalReason ?? null,
  bounced: one.reversedDate ? (one.bounced ?? null) : null,
})
