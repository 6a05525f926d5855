/** Reads bank files and their entries, and stores the outcome of each entry. */
import { PaymentFile, PaymentFileEntry } from '../../../contract/treasury/payment-files.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import { findRow, findVisible } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { rowParameters, rowsFrom } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { agencyOnly, bankFileEntries } from '../../payments/agency-money.scope.ts'
import type { VisibleGuid } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

const fileColumns = {
  ...memberColumns(Object.keys(PaymentFile.properties), 'pf', { paymentFileGuid: 'id' }),
  businessDate: 'pf.business_date::timestamptz',
}
const fileSource: ListSource<'paymentfile'> = {
  entity: 'paymentfile',
  from: 'payment_file pf',
  key: 'pf.id',
  select: selectList(fileColumns),
  properties: filterableProperties(PaymentFile, fileColumns),
  defaultOrder: { terms: [], keyDescending: true, text: 'pf.id desc', reversedText: 'pf.id' },
}

export const listPaymentFiles = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<PaymentFile>> =>
  listRows<PaymentFile, 'paymentfile'>(db, fileSource, agencyOnly('paymentfile', caller), query, context)

/** Throws a 404 when the file does not exist or the caller is restricted to clients. */
export async function requirePaymentFile(db: Db, caller: Caller, fileGuid: string): Promise<PaymentFile> {
  const found = await findRow<PaymentFile, 'paymentfile'>(
    db,
    fileSource,
    fileGuid,
    agencyOnly('paymentfile', caller),
  )
  if (!found) throw notFound('payment file')
  return found
}

export async function requireFileGuid(
  db: Db,
  caller: Caller,
  fileGuid: string,
): Promise<VisibleGuid<'paymentfile'>> {
  const found = await findVisible(db, fileSource, fileGuid, agencyOnly('paymentfile', caller))
  if (!found) throw notFound('payment file')
  return found.guid
}

const entryColumns = {
  ...memberColumns(Object.keys(PaymentFileEntry.properties), 'pe', {
    entryGuid: 'id',
    paymentGuid: 'payment_id',
    references: 'payment_references',
  }),
  amount: '(pe.amount / pe.minor_per_unit::float8)',
  parts: `(select coalesce(jsonb_agg(jsonb_build_object('paymentReferenceNumber', fp.reference,
    'amount', fp.amount / pe.minor_per_unit::float8, 'paymentGuid', fp.payment_id, 'reason', fp.reason)
    order by fp.number), '[]') from payment_file_part fp where fp.entry_id = pe.id)`,
  bookingDate: 'pe.booking_date::timestamptz',
  valueDate: 'pe.value_date::timestamptz',
}
const entrySource: ListSource<'paymentfileentry'> = {
  entity: 'paymentfileentry',
  from: 'payment_file_entry pe',
  key: 'pe.id',
  select: selectList(entryColumns),
  properties: filterableProperties(PaymentFileEntry, entryColumns),
  amounts: { currency: 'pe.currency_code', perUnit: 'pe.minor_per_unit', minor: { amount: 'pe.amount' } },
}

export const listPaymentFileEntries = (
  db: Db,
  file: VisibleGuid<'paymentfile'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<PaymentFileEntry>> =>
  listRows<PaymentFileEntry, 'paymentfileentry'>(db, entrySource, bankFileEntries(file), query, context)

export interface EntryRow {
  id: string
  number: number
  identity: string
  account: string
  currency_code: string
  minor_per_unit: number
  amount: number
  booking_date: string | null
  value_date: string | null
  payment_references: string[]
  parts: { reference: string; amount: number }[]
  end_to_end_id: string | null
  /** Hexadecimal, as `identity`. */
  originals: string[]
  words: string[]
  payer_name: string | null
  message: string | null
  not_booked: string | null
}

const entryTypes = {
  id: 'uuid',
  number: 'int',
  identity: 'text',
  account: 'text',
  currency_code: 'text',
  minor_per_unit: 'int',
  amount: 'bigint',
  booking_date: 'date',
  value_date: 'date',
  payment_references: 'text[]',
  parts: 'jsonb',
  end_to_end_id: 'text',
  originals: 'text[]',
  words: 'text[]',
  payer_name: 'text',
  message: 'text',
  not_booked: 'text',
} satisfies Record<keyof EntryRow, string>

/**
 * Inserts entries as waiting, except those that are no payments or are already in an earlier file. `identity`
 * is hexadecimal.
 */
export async function insertEntries(tx: Db, fileGuid: string, rows: readonly EntryRow[]): Promise<void> {
  if (rows.length === 0) return
  await runStatement(
    tx,
    `with given as (select * from ${rowsFrom(entryTypes, 2)} n), inserted as (
     insert into payment_file_entry (id, file_id, number, identity, account, currency_code, minor_per_unit, amount,
       booking_date, value_date, payment_references, words, payer_name, message, end_to_end_id, originals, outcome, reason)
     select n.id, $1, n.number, decode(n.identity, 'hex'), n.account, n.currency_code, n.minor_per_unit, n.amount,
       n.booking_date, n.value_date, n.payment_references, n.words, n.payer_name, n.message, n.end_to_end_id,
       (select array_agg(decode(one, 'hex')) from unnest(n.originals) one),
       case when n.not_booked is not null then 'NOT_BOOKED'
         when exists (select from payment_file_entry e where e.identity = decode(n.identity, 'hex')
           and e.outcome in ('WAITING', 'BOOKED', 'SUSPENSE')) then 'ALREADY_THERE'
         else 'WAITING' end,
       n.not_booked
     from given n returning id, outcome)
     insert into payment_file_part (entry_id, number, reference, amount)
     select n.id, p.number, p.part ->> 'reference', (p.part ->> 'amount')::bigint
     from given n join inserted i on i.id = n.id and i.outcome = 'WAITING',
       jsonb_array_elements(n.parts) with ordinality p (part, number)`,
    [fileGuid, ...rowParameters(entryTypes, rows)],
    { prepare: true },
  )
}

export interface WaitingEntry {
  id: string
  currencyCode: string
  minorPerUnit: number
  amount: number
  bookingDate: string | null
  valueDate: string | null
  references: string[]
  words: string[]
  /** The parts that the payer gave, in minor units. */
  parts: { number: number; reference: string; amount: number }[]
}

/** Locks waiting entries for the transaction: skips those locked by others, or waits for them. */
export const claimWaiting = (
  tx: Db,
  fileGuid: string,
  { most, skipsHeld }: { most: number; skipsHeld: boolean },
): Promise<WaitingEntry[]> =>
  tx<WaitingEntry[]>`
    select id, currency_code as "currencyCode", minor_per_unit as "minorPerUnit", amount, booking_date as "bookingDate",
      value_date as "valueDate", payment_references as "references", words,
      (select coalesce(jsonb_agg(jsonb_build_object('number', p.number, 'reference', p.reference, 'amount', p.amount)
        order by p.number), '[]') from payment_file_part p where p.entry_id = payment_file_entry.id) as parts
    from payment_file_entry where file_id = ${fileGuid} and outcome = 'WAITING' order by number limit ${most}
    for no key update ${skipsHeld ? tx`skip locked` : tx``}`

/** The words that are a complete payment reference of a case. */
export async function findCaseReferences(tx: Db, words: readonly string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set()
  const rows = await tx<{ reference: string }[]>`
    select payment_reference_number as reference from debt_case where payment_reference_number = any(${[...words]}::text[])`
  return new Set(rows.map(({ reference }) => reference))
}

export interface PostedEntry {
  id: string
  outcome: 'BOOKED' | 'SUSPENSE'
  reason: string | null
  payment_id: string | null
  /** For money in suspense: the identifiers of its rows, and its value date. */
  suspense_id: string | null
  transaction_id: string | null
  /** Minor units of it: what of the entry is not on cases. */
  suspense_amount: number
  value_date: string
}

const postedTypes = {
  id: 'uuid',
  outcome: 'text',
  reason: 'text',
  payment_id: 'uuid',
  suspense_id: 'uuid',
  transaction_id: 'uuid',
  suspense_amount: 'bigint',
  value_date: 'date',
} satisfies Record<keyof PostedEntry, string>

/** What became of a part of an entry: its payment, or why it is not one. */
export interface PostedPart {
  entry_id: string
  number: number
  payment_id: string | null
  reason: string | null
}
const partTypes = {
  entry_id: 'uuid',
  number: 'int',
  payment_id: 'uuid',
  reason: 'text',
} satisfies Record<keyof PostedPart, string>

export async function updateParts(tx: Db, parts: readonly PostedPart[]): Promise<void> {
  if (parts.length === 0) return
  await runStatement(
    tx,
    `update payment_file_part p set payment_id = n.payment_id, reason = n.reason
     from ${rowsFrom(partTypes, 1)} n where p.entry_id = n.entry_id and p.number = n.number`,
    rowParameters(partTypes, parts),
    { prepare: true },
  )
}

/** Stores the outcome of entries, with the rows and bookings of those in suspense. */
export async function updatePosted(tx: Db, fileGuid: string, posted: readonly PostedEntry[]): Promise<void> {
  const rows = rowParameters(postedTypes, posted)
  const given = `${rowsFrom(postedTypes, 1)} n`
  await runStatement(
    tx,
    `update payment_file_entry e set outcome = n.outcome, reason = n.reason, payment_id = n.payment_id
     from ${given} where e.id = n.id`,
    rows,
    { prepare: true },
  )
  const suspended = posted.filter(({ outcome }) => outcome === 'SUSPENSE').length
  if (suspended > 0) {
    await runStatement(
      tx,
      `with given as (
         select n.*, e.currency_code, e.minor_per_unit, n.suspense_amount as amount from ${given} join payment_file_entry e on e.id = n.id
         where n.outcome = 'SUSPENSE'
       ), held as (
         insert into suspense (id, entry_id, currency_code, minor_per_unit, amount, value_date, reason)
         select suspense_id, id, currency_code, minor_per_unit, amount, value_date, reason from given returning id
       ), booked as (
         insert into trust_transaction (id, kind, currency_code, value_date, booked_date, suspense_id)
         select transaction_id, 'suspense', currency_code, value_date, (select business_date from business_clock), suspense_id
         from given returning id
       )
       insert into trust_entry (transaction_id, line, account, amount)
       select transaction_id, line, account, case line when 1 then amount else -amount end
       from given cross join (values (1, 'bank'), (2, 'suspense')) l (line, account)`,
      rows,
      { prepare: true },
    )
  }
  await tx`
    update payment_file set booked = booked + ${posted.length - suspended}, suspended = suspended + ${suspended}
    where id = ${fileGuid}`
}

/** The sums of what of a file is to be booked, in minor units by currency. */
export const sumWaiting = (tx: Db, fileGuid: string): Promise<{ currencyCode: string; amount: string }[]> =>
  tx<{ currencyCode: string; amount: string }[]>`
    select currency_code as "currencyCode", sum(amount)::text as amount from payment_file_entry
    where file_id = ${fileGuid} and outcome = 'WAITING' group by 1 order by 1`
