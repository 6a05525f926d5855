/**
 * A payment as somebody would write it by hand who knew the case: one prepared statement, committed by itself, that writes
 * as many rows into the same tables as ours, under the same triggers and keys. It allocates by no rules: the money is less
 * than the interest of the case, which has no costs. It knows no sessions, validation, restriction, approval, plans or closing.
 */
import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../../server/platform/database/driver/pool.ts'

/** Parameters: the case, the amount in minor units, then the keys of the rows and any key for a user. */
const paymentText = `
  with held as (
    select c.id, c.client_id, c.main_debtor_id, c.currency_code, c.movement_count, c.transaction_count, c.event_sequence,
      c.accrued_interest, c.allocation_order, c.tolerance_minor, k.business_date as today,
      (select i.id from invoice i where i.case_id = c.id order by i.number limit 1) as invoice_id
    from debt_case c, business_clock k where c.id = $1::uuid for no key update of c
  ),
  changed as (
    update debt_case c set paid_interest = c.paid_interest + $2::bigint, added_interest = c.added_interest + h.accrued_interest,
      accrued_interest = 0, accrual_from = h.today, accrual_exact = 0, limitation_date = h.today + interval '3 years',
      interrupted_by = 'PAYMENT', interrupted_date = h.today, movement_count = c.movement_count + 1,
      transaction_count = c.transaction_count + 2, version = c.version + 1, event_sequence = c.event_sequence + 2
    from held h where c.id = h.id
  ),
  paid as (
    insert into payment (id, currency_code, amount, value_date, registered_date, to_third_party, debtor_id, case_id, version)
    select $3::uuid, currency_code, $2::bigint, today, today, false, main_debtor_id, id, 1 from held
  ),
  moved as (
    insert into movement (id, case_id, number, kind, value_date, booked_date, amount, payment_id, allocation_order, tolerance_minor)
    select $4::uuid, id, movement_count + 1, 'payment', today, today, $2::bigint, $3::uuid, allocation_order, tolerance_minor from held
  ),
  booked as (
    insert into ledger_transaction (id, case_id, number, kind, value_date, booked_date, movement_id)
    select t.id, h.id, h.transaction_count + t.number, t.kind, h.today, h.today, t.movement_id
    from held h, (values ($5::uuid, 1, 'interest', null::uuid), ($6::uuid, 2, 'payment', $4::uuid)) t (id, number, kind, movement_id)
  ),
  entered as (
    insert into ledger_entry (transaction_id, line, account, invoice_id, amount)
    select e.id, e.line, e.account, e.invoice_id, e.amount from held h, lateral (values
      ($5::uuid, 1, 'receivable:interest', h.invoice_id, h.accrued_interest),
      ($5::uuid, 2, 'income:interest', h.invoice_id, -h.accrued_interest),
      ($6::uuid, 1, 'bank', null, $2::bigint),
      ($6::uuid, 2, 'receivable:interest', h.invoice_id, -$2::bigint)) e (id, line, account, invoice_id, amount)
  ),
  kept as (
    insert into held_money (id, case_id, client_id, currency_code, counts_from, amount)
    select $7::uuid, id, client_id, currency_code, today, $2::bigint from held
  ),
  counted as (
    insert into lone_act (act, case_id, user_id, currency_code, amount, minor_per_unit, done_on)
    select 'PAYMENT', id, $10::uuid, currency_code, $2::bigint, 100, today from held
  ),
  noted as (
    insert into audit_entry (business_date, operation, action, entity, entity_id, subject, changes, id, type, sequence, data)
    select h.today, 'reference', n.action, 'payment', $3::uuid, h.id, n.changes, n.id, 'payment.' || n.action,
      h.event_sequence + n.number, n.data
    from held h, lateral (values
      ($8::uuid, 1, 'registered', jsonb_build_object('minorAmount', array[null, $2::bigint]),
        jsonb_build_object('caseGuid', h.id, 'paymentGuid', $3::uuid, 'valueDate', h.today, 'toThirdParty', false)),
      ($9::uuid, 2, 'allocated', '{}', jsonb_build_object('caseGuid', h.id, 'paymentGuid', $3::uuid, 'valueDate', h.today,
        'minorAmounts', jsonb_build_object('principal', 0, 'interest', $2::bigint, 'cost', 0)))) n (id, number, action, changes, data)
    order by n.number
  )
  select set_config('fordra.held_money', 'written', true)`

const keys = 8

export interface PaymentBody {
  caseGuid: string
  /** Units of a currency with two decimals. */
  amount: number
}

export const payByHand =
  (sql: Sql) =>
  async ({ caseGuid, amount }: PaymentBody): Promise<void> => {
    const made = Array.from({ length: keys }, () => uuidv7())
    await sql.unsafe(paymentText, [caseGuid, Math.round(amount * 100), ...made], { prepare: true })
  }
