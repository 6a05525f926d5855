import { ClientListItem, type ClientDetail, type ClientInput } from '../../../contract/parties/clients.ts'
import { selectList } from '../../platform/database/columns.ts'
import { runStatement } from '../../platform/database/statement.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleClients } from './clients.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

/** The members of a party that callers set; the agency has no parent. */
export type ClientRecord = Required<ClientInput> & { name: string; partyReferenceCode: string }
export type StoredClient = ClientRecord & { clientGuid: string; version: number }

const columns = {
  clientGuid: 'p.id',
  name: 'p.name',
  partyReferenceCode: 'p.reference_code',
  parentPartyReferenceCode: 'above.reference_code',
  countryCode: 'p.country_code',
  currencyCode: 'p.currency_code',
} satisfies Record<keyof ClientListItem, string>
const from = 'party p left join party above on above.id = p.parent_id'

export async function findClient(
  db: Db,
  caller: Pick<Caller, 'partyIds'>,
  clientGuid: string,
  { lock = false } = {},
): Promise<StoredClient | undefined> {
  const [row] = await runStatement<StoredClient>(
    db,
    `select ${selectList(columns)}, p.version
     from ${from} where p.id = $1 and ($2::uuid[] is null or p.id = any($2::uuid[]))${lock ? ' for update of p' : ''}`,
    [clientGuid, caller.partyIds],
    { prepare: true },
  )
  return row
}

export const clientRows: ListSource<'client'> = {
  entity: 'client',
  from,
  key: 'p.id',
  select: selectList(columns),
  properties: filterableProperties(ClientListItem, columns),
}

export const listClients = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<ClientListItem>> =>
  listRows<ClientListItem, 'client'>(db, clientRows, visibleClients(caller), query, context)

/** The strategy of a party `p`, or of the nearest party above that has one. */
const strategyInForce = `(
  with recursive up as (
    select p.strategy_id as strategy, p.parent_id as above
    union all
    select a.strategy_id, a.parent_id from up join party a on a.id = up.above where up.strategy is null
  ) select g.id, g.name from up join strategy g on g.id = up.strategy)`

const detailFrom = `${from} left join lateral ${strategyInForce} inforce on true left join strategy own on own.id = p.strategy_id`

/** `$2` are the parties that the caller may see, null for all. The agency's name is known to everybody. */
const detailSelect = selectList({
  ...columns,
  interestRate: 'p.interest_rate::float8',
  interestSeries: 'p.interest_series',
  interestPoints: 'p.interest_points::float8',
  interestDayCount: 'p.interest_day_count',
  allocationOrder: 'p.allocation_order',
  tolerance: 'p.tolerance::float8',
  bankAccountNo: 'p.bank_account_no',
  claimKind: 'p.claim_kind',
  services: 'p.services',
  fees: "(select array_agg(key || ' ' || value order by key) from jsonb_each_text(p.fees))",
  firstDueDays: 'p.plan_first_due_days',
  intervalType: 'p.plan_interval_type',
  graceDays: 'p.plan_grace_days',
  missesToBreach: 'p.plan_misses_to_breach',
  registrationFee: 'p.plan_registration_fee::float8',
  invoiceFee: 'p.plan_invoice_fee::float8',
  reminderFee: 'p.plan_reminder_fee::float8',
  freeMonths: 'p.plan_free_months::text[]',
  businessDays: 'p.plan_business_days',
  evenPayments: 'p.plan_even_payments',
  closingPayment: 'p.plan_closing_payment',
  lettersByEmail: 'p.letters_by_email',
  parentPartyName:
    'case when above.parent_id is null or $2::uuid[] is null or above.id = any($2::uuid[]) then above.name end',
  strategy: 'own.code',
  strategyGuid: 'inforce.id',
  strategyName: 'inforce.name',
  version: 'p.version',
} satisfies Record<keyof Omit<ClientDetail, 'links'> | 'version', string>)

export async function findClientWithTerms(
  db: Db,
  caller: Caller,
  clientGuid: string,
): Promise<(Omit<ClientDetail, 'links'> & { version: number }) | undefined> {
  const scope = visibleClients(caller).at(3)
  const [row] = await runStatement<Omit<ClientDetail, 'links'> & { version: number }>(
    db,
    `select ${detailSelect} from ${detailFrom} where p.id = $1 and ${scope.text}`,
    [clientGuid, caller.partyIds, ...scope.parameters],
    { prepare: true },
  )
  return row
}

/** What depends on a client, counted by what it is. */
export async function countUses(db: Db, clientGuid: string): Promise<Record<string, number>> {
  const [row] = await db<Record<string, number>[]>`
    select (select count(*)::int from party where parent_id = ${clientGuid}) as clients,
      (select count(*)::int from app_user where party_id = ${clientGuid}) as users,
      (select count(*)::int from user_client_restriction where party_id = ${clientGuid}) as "client restrictions",
      (select count(*)::int from debtor where created_by_party_id = ${clientGuid}) as debtors,
      (select count(*)::int from debt_case where client_id = ${clientGuid}) as cases,
      (select count(*)::int from third_party where client_id = ${clientGuid}) as "third parties",
      (select count(*)::int from account where client_id = ${clientGuid}) as accounts,
      (select count(*)::int from customer where client_id = ${clientGuid}) as customers,
      (select count(*)::int from purchase where client_id = ${clientGuid}) as purchases,
      (select count(*)::int from object where client_id = ${clientGuid}) as objects,
      (select count(*)::int from note where item_guid = ${clientGuid}) as notes,
      (select count(*)::int from trial where client_id = ${clientGuid}) as trials,
      (select count(*)::int from dashboard where client_id = ${clientGuid}) as dashboards,
      (select count(*)::int from letter_template where client_id = ${clientGuid}) as "letter templates"`
  return row!
}

export async function updateItem(
  tx: Db,
  clientGuid: string,
  { name, partyReferenceCode }: Pick<StoredClient, 'name' | 'partyReferenceCode'>,
): Promise<void> {
  await tx`
    update item set primary_description = ${name}, secondary_description = ${partyReferenceCode}
    where guid = ${clientGuid}`
}

export async function insertItem(
  tx: Db,
  clientGuid: string,
  { name, partyReferenceCode }: Pick<StoredClient, 'name' | 'partyReferenceCode'>,
): Promise<void> {
  await tx`
    insert into item (guid, type, primary_description, secondary_description, party_id)
    values (${clientGuid}, 2, ${name}, ${partyReferenceCode}, ${clientGuid})`
}

export async function deleteItem(tx: Db, clientGuid: string): Promise<void> {
  await tx`delete from favorite where target = ${clientGuid}`
  await tx`delete from item where guid = ${clientGuid}`
}
