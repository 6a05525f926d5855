/** Stores statutory fees, shipped and edited, and finds those in force in a period. */
import { createHash } from 'node:crypto'
import { StatutoryFee } from '../../../contract/ledger/statutory-fees.ts'
import { shippedFees, type ShippedFee } from '../../../core/ledger/statutory-fees.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

/** Rows that agree in these columns are versions of the same fee. */
const slotColumns =
  'country_code, fee_type, debtor_kind, currency_code, principal_above, principal_up_to, stage, creditor_deducts_vat'

const columns = {
  ...memberColumns(Object.keys(StatutoryFee.properties), 'f', { statutoryFeeGuid: 'id' }),
  validFrom: 'f.valid_from::timestamptz',
  validTo: 'f.valid_to::timestamptz',
  principalAbove: 'f.principal_above::float8',
  principalUpTo: 'f.principal_up_to::float8',
  amount: 'f.amount::float8',
  secondAmount: 'f.second_amount::float8',
}
/** A version ends at the latest on the day before the next version starts. */
const source: ListSource<'statutoryfee'> = {
  entity: 'statutoryfee',
  from: `(
    select id, ${slotColumns}, valid_from, least(valid_to, (
        select min(later.valid_from) - 1 from statutory_fee later
        where later.valid_from > coalesce(own.valid_from, '-infinity')
          and (${qualifiedSlot('later')}) is not distinct from (${qualifiedSlot('own')}))) as valid_to,
      amount, second_amount, condition, source, unverified, edited
    from statutory_fee own
  ) f`,
  key: 'f.id',
  select: selectList(columns),
  properties: filterableProperties(StatutoryFee, columns),
}

function qualifiedSlot(alias: string): string {
  return slotColumns
    .split(', ')
    .map((column) => `${alias}.${column}`)
    .join(', ')
}

const everyone = unrestricted('statutoryfee', 'Statutory fees are public law and belong to no client.')

export const listStatutoryFees = (
  db: Db,
  query: PageQuery,
  context: ListContext,
): Promise<Page<StatutoryFee>> => listRows<StatutoryFee, 'statutoryfee'>(db, source, everyone, query, context)

export interface StoredFee {
  statutoryFeeGuid: string
  countryCode: string
  feeType: string
  debtorKind: string
  currencyCode: string
  validFrom: string | null
  validTo: string | null
  principalAbove: number | null
  principalUpTo: number | null
  amount: number | null
  secondAmount: number | null
  stage: string | null
  creditorDeductsVat: boolean | null
  condition: string | null
  source: string | null
  unverified: boolean
  shipped: boolean
  edited: boolean
  version: number
}

const storedSelect = `id as "statutoryFeeGuid", country_code as "countryCode", fee_type as "feeType",
  debtor_kind as "debtorKind", currency_code as "currencyCode", valid_from as "validFrom", valid_to as "validTo",
  principal_above::float8 as "principalAbove", principal_up_to::float8 as "principalUpTo", amount::float8 as amount,
  second_amount::float8 as "secondAmount", stage, creditor_deducts_vat as "creditorDeductsVat", condition, source,
  unverified, shipped, edited, version`

export async function findStoredFee(
  db: Db,
  id: string,
  { lock = false } = {},
): Promise<StoredFee | undefined> {
  const [row] = await runStatement<StoredFee>(
    db,
    `select ${storedSelect} from statutory_fee where id = $1${lock ? ' for update' : ''}`,
    [id],
  )
  return row
}

/** The version of the same fee with the same first day, if any. */
export async function findSameFee(
  tx: Db,
  fee: Omit<StoredFee, 'statutoryFeeGuid' | 'version'>,
): Promise<StoredFee | undefined> {
  const [row] = await tx<StoredFee[]>`
    select ${tx.unsafe(storedSelect)} from statutory_fee
    where (country_code, fee_type, debtor_kind, currency_code) = (${fee.countryCode}, ${fee.feeType}, ${fee.debtorKind}, ${fee.currencyCode})
      and valid_from = ${fee.validFrom} and principal_above is not distinct from ${fee.principalAbove}::numeric
      and principal_up_to is not distinct from ${fee.principalUpTo}::numeric and stage is not distinct from ${fee.stage}
      and creditor_deducts_vat is not distinct from ${fee.creditorDeductsVat}
    order by shipped limit 1 for update`
  return row
}

/**
 * The fees of a country in force on any day of a period. Newest first, then lowest amount. A version ends
 * before the next one of its fee starts.
 */
export async function findFeesBetween(
  db: Db,
  country: string,
  { from, to }: { from: string; to: string },
): Promise<ShippedFee[]> {
  return runStatement<ShippedFee>(
    db,
    `select country, type, debtor, currency, "from", least("to", next - 1) as "to", above, "upTo", amount, second, stage, "creditorDeductsVat",
       condition, source, unverified
     from (
       select country_code as country, fee_type as type, lower(debtor_kind) as debtor, currency_code as currency,
         valid_from as "from", valid_to as "to", trim_scale(principal_above)::text as above,
         trim_scale(principal_up_to)::text as "upTo", trim_scale(amount)::text as amount,
         trim_scale(second_amount)::text as second, stage, creditor_deducts_vat as "creditorDeductsVat", condition, source,
         unverified, amount as lowest, min(valid_from) over (partition by ${slotColumns} order by valid_from nulls first
           groups between 1 following and 1 following) as next
       from statutory_fee
       where country_code = $1 and per_started is null and (valid_from is null or valid_from <= $3::date)
     ) f
     where next is null or next > $2::date order by "from" desc nulls last, lowest`,
    [country, from, to],
    { prepare: true },
  )
}

const shippedTypes = {
  id: 'uuid',
  country: 'text',
  type: 'text',
  debtor: 'text',
  currency: 'text',
  from: 'date',
  to: 'date',
  above: 'numeric',
  upTo: 'numeric',
  amount: 'numeric',
  second: 'numeric',
  perStarted: 'numeric',
  stage: 'text',
  creditorDeductsVat: 'boolean',
  condition: 'text',
  source: 'text',
  unverified: 'boolean',
}

/** Loads the shipped fees, and removes those that an earlier version shipped. Edited rows stay as they are. */
export async function insertShippedFees(tx: Db): Promise<void> {
  const rows = shippedFees.map((fee) => ({ ...fee, id: shippedFeeId(fee), debtor: fee.debtor.toUpperCase() }))
  const ids = rows.map(({ id }) => id)
  await tx`delete from statutory_fee where shipped and not edited and id <> all(${ids}::uuid[])`
  await tx`
    insert into statutory_fee as f (id, country_code, fee_type, debtor_kind, currency_code, valid_from, valid_to, principal_above,
      principal_up_to, amount, second_amount, per_started, stage, creditor_deducts_vat, condition, source, unverified, shipped)
    select id, country, type, debtor, currency, "from", "to", above, upTo, amount, second, perStarted, stage,
      creditorDeductsVat, condition, source, unverified, true
    from ${rowsIn(tx, shippedTypes, rows)} s
    on conflict (id) do update set valid_to = excluded.valid_to, amount = excluded.amount, second_amount = excluded.second_amount,
      per_started = excluded.per_started, source = excluded.source, unverified = excluded.unverified
    where not f.edited and (f.valid_to, f.amount, f.second_amount, f.per_started, f.source, f.unverified) is distinct from
      (excluded.valid_to, excluded.amount, excluded.second_amount, excluded.per_started, excluded.source, excluded.unverified)`
}

/**
 * A stable identifier of a shipped fee across versions, derived from what the fee is, not from its amount.
 */
function shippedFeeId({ country, type, debtor, currency, from, above, upTo, ...fee }: ShippedFee): string {
  const what = [country, type, debtor, currency, from, above, upTo, fee.stage, fee.creditorDeductsVat]
  const digest = createHash('sha256').update(JSON.stringify([...what, fee.condition, fee.perStarted]))
  // A name-based identifier (RFC 9562, version 8).
  const hex = digest.digest('hex').slice(0, 32).split('')
  hex[12] = '8'
  hex[16] = 'a'
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
