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

/** A new payment as a row of money. */
type PaymentRow = Record<string, unknown> & store.PaymentEnd

export class CarriedPayments {
  /** By reference in the file. */
  readonly guids = new Map<string, string>()
  readonly #source: string
  readonly #debtors: ReadonlyMap<string, string>
  /** The references of the rows of the chunk. */
  readonly #rows: ReadonlySet<string | null>
  /** Which payment has the reference of a payer; null for one that was there before. */
  readonly #payers: Map<string, string | null>
  /** Those that are in the database. */
  readonly #stored = new Set<string>()
  readonly #new = new Map<string, PaymentRow>()
  readonly #later: store.PaymentEnd[] = []

  private constructor(
    source: string,
    debtors: ReadonlyMap<string, string>,
    known: { rows: ReadonlySet<string | null>; payers: ReadonlySet<string> },
  ) {
    this.#source = source
    this.#debtors = debtors
    this.#rows = known.rows
    this.#payers = new Map([...known.payers].map((payer) => [payer, null]))
  }

  static async load(
    tx: Db,
    source: string,
    { ready, debtors }: { ready: readonly Ready[]; debtors: ReadonlyMap<string, string> },
  ): Promise<CarriedPayments> {
    const payers = await store.findPayers(tx, [...debtors.values()])
    const rows = new Set(ready.map(({ row }) => row.reference))
    const self = new CarriedPayments(source, debtors, { rows, payers })
    const carried = ready.flatMap(({ made }) => made.row.payments ?? [])
    const references = [...new Set(carried.map(({ paymentReference }) => paymentReference ?? ''))]
    const stored = await store.findPayments(
      tx,
      references.map((one) => `${source}/${one}`),
    )
    for (const reference of references) {
      const guid = stored.get(`${source}/${reference}`)
      self.guids.set(reference, guid ?? makeId())
      if (guid !== undefined) self.#stored.add(reference)
    }
    return self
  }

  listFaults({ made }: Ready): Fault[] {
    return (made.row.payments ?? []).flatMap((one): Fault[] => {
      const fault = (reason: string) => [{ field: 'payments', reason: `'${one.paymentReference}' ${reason}` }]
      if (!one.paymentReference?.trim())
        return [{ field: 'payments', reason: 'need a paymentReference each.' }]
      if (made.payments.get(one.paymentReference) === 0n) return fault('needs an amount above zero.')
      if (!this.#debtors.has(one.debtorReference?.trim() ?? '')) return fault('names no debtor.')
      if ((day(one.reversedDate) === null) !== !one.reversalReason)
        return fault('needs reversedDate and reversalReason: both, or none.')
      const payer = this.#findPayer(one)
      const taker = payer === null ? undefined : this.#payers.get(payer)
      if (taker !== undefined && taker !== one.paymentReference)
        return fault('has the reference of a payer that another payment has.')
      return day(one.valueDate) === null ? fault('needs a value date.') : []
    })
  }

  /** Keeps the references of payers of a row that is taken. */
  note({ made }: Ready): void {
    for (const one of made.row.payments ?? []) {
      const payer = this.#findPayer(one)
      if (payer !== null) this.#payers.set(payer, one.paymentReference!)
    }
  }

  /** The payer of a payment that is new and stands, which must be its own. */
  #findPayer(one: CarriedPayment): string | null {
    const waits = one.caseReference ? !this.#rows.has(one.caseReference.trim()) : false
    const stands = !one.reversedDate || waits
    if (!one.payerReference || !stands || this.#stored.has(one.paymentReference!)) return null
    return `${this.#debtors.get(one.debtorReference!.trim())} ${one.payerReference.toLowerCase()}`
  }

  /** Adds the payments that no earlier case brought. The case that one was registered on tells its reversal. */
  addRows({ made, row }: Ready, built: BuiltHistory): void {
    for (const one of made.row.payments ?? []) {
      const reference = one.paymentReference!
      const isOwn = one.caseReference?.trim() === row.reference
      const end = isOwn || !one.caseReference ? reversal(one) : notReversed
      const known = this.#new.get(reference)
      if (this.#stored.has(reference)) {
        if (isOwn) this.#later.push({ id: this.guids.get(reference)!, case_id: built.extras.id, ...end })
      } else if (known === undefined) {
        const fresh = { ...this.#toRow(made, one), case_id: isOwn ? built.extras.id : null, ...end }
        this.#new.set(reference, fresh)
        built.rows.payments.push(fresh)
      } else if (isOwn) Object.assign(known, { case_id: built.extras.id, ...end })
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

  /** What the cases of payments tell that earlier chunks brought. */
  finish = (tx: Db): Promise<void> => store.endPayments(tx, this.#later)
}

const notReversed = { reversed_date: null, reversal_reason: null, bounced: null }
const reversal = (one: CarriedPayment) => ({
  reversed_date: day(one.reversedDate),
  reversal_reason: one.reversalReason ?? null,
  bounced: one.reversedDate ? (one.bounced ?? null) : null,
})
