/** Clients, users, debtors and what clients have besides cases, as SQL. */
import { userMemberFields } from '../../../../contract/access/users.ts'
import * as books from '../../../../contract/integration/book-imports.ts'
import * as holdings from '../../../../contract/integration/holding-imports.ts'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { UserInput } from '../../../../contract/access/users.ts'
import { listFieldNames } from '../../../../contract/metadata/fields.ts'
import { addressMemberFields } from '../../../../contract/parties/addresses.ts'
import { debtorMemberFields } from '../../../../contract/parties/debtors.ts'
import { currenciesWith } from '../../../../core/identity/codes.ts'
import * as kinds from '../../../parties/holdings/holding-kinds.ts'
import type { HoldingKind } from '../../../parties/holdings/holding-kinds.ts'
import { memberColumns, snakeCase } from '../../../platform/database/columns.ts'
import type { CarriedKind } from './carried-kind.ts'

const isDay = (field: object) => (field as { 'x-field'?: { kind?: string } })['x-field']?.kind === 'date'
const day = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`
/** The columns of fields; days are stored as moments. */
const nameColumns = (fields: Readonly<Record<string, object>>, alias: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const column = `${alias}.${snakeCase(name)}`
      return [name, isDay(field) ? day(column) : column]
    }),
  )

export const parties: CarriedKind = {
  what: 'parties',
  schema: books.PartyRow,
  entity: 'client',
  custom: 't.custom',
  members: {
    sourceReference: 't.reference_code',
    partyReferenceCode: 't.reference_code',
    name: 't.name',
    parentPartyReferenceCode: 'case when t.depth > 1 then t.parent_code end',
    countryCode: 't.country_code',
    currencyCode: 't.currency_code',
    interestRate: 't.interest_rate::float8',
    interestSeries: 't.interest_series',
    interestPoints: 't.interest_points::float8',
    interestDayCount: 't.interest_day_count',
    allocationOrder: 't.allocation_order',
    tolerance: 't.tolerance::float8',
    bankAccountNo: 't.bank_account_no',
    claimKind: 't.claim_kind',
    services: 't.services',
    fees: "(select array_agg(key || ' ' || value order by key) from jsonb_each_text(t.fees))",
    lettersByEmail: 't.letters_by_email',
    bundleClaims: 't.bundle_claims',
    reminderFeeAgreed: 't.reminder_fee_agreed',
    dueDateBasis: 't.due_date_basis',
  },
  // A party comes after the one above it.
  from: `(with recursive tree as (
      select p.*, 0 as depth, null::text as parent_code from party p where p.parent_id is null
      union all
      select p.*, t.depth + 1, t.reference_code from party p join tree t on p.parent_id = t.id
    ) select * from tree where depth > 0) t order by t.depth, lower(t.reference_code)`,
}

const userNames = listFieldNames(userMemberFields).filter(
  (name) => name in UserInput.properties && !name.startsWith('photo') && name !== 'apiUser',
)
export const users: CarriedKind = {
  what: 'users',
  schema: UserInput,
  entity: 'user',
  custom: 'u.custom',
  members: {
    sourceReference: 'u.email',
    partyReferenceCode: 'p.reference_code',
    ...memberColumns(userNames, 'u'),
    accessGroups: `array(select g.code from user_access_group x join access_group g on g.id = x.access_group_id
      where x.user_id = u.id order by g.code)`,
    clientRestriction: `(select json_agg(json_build_object('partyReferenceCode', r.reference_code,
        'includeSubParties', x.include_sub_parties) order by r.reference_code)
      from user_client_restriction x join party r on r.id = x.party_id where x.user_id = u.id)`,
  },
  from: 'app_user u join party p on p.id = u.party_id where not u.api_user order by lower(u.email)',
}

const { fullAddress: line, ...addressFields } = addressMemberFields
const pairs = (columns: Record<string, string>) =>
  Object.entries(columns)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(', ')
const addresses = `(select json_agg(json_strip_nulls(json_build_object(${pairs(
  nameColumns({ ...addressFields, fullAddress: line }, 'a'),
)})) order by a.default_address desc, a.id) from address a where a.debtor_id = d.id)`
const extraFields = `(select json_agg(json_build_object('name', x.name, 'value', x.value) order by lower(x.name))
  from extra_field x where x.debtor_id = d.id)`

export const debtors: CarriedKind = {
  what: 'debtors',
  schema: books.DebtorRow,
  entity: 'debtor',
  custom: 'd.custom',
  members: {
    sourceReference: 'd.debtor_reference',
    keptReference: 'd.debtor_reference',
    regDate: day('d.reg_date'),
    ...nameColumns(debtorMemberFields, 'd'),
    preferredChannel: 'd.preferred_channel',
    idCountryCode: 'd.id_country_code',
    addresses,
    extraFields,
  },
  from: 'debtor d order by d.id',
  // The name of a person follows from its parts, and the age from the date of birth.
  toRow: ({ fullName, underAged, ...row }) => ({
    ...row,
    fullName: row['lastname'] !== null && row['juridicalType'] !== 1 ? null : fullName,
    underAged: row['dateOfBirth'] === null ? underAged : null,
  }),
}

const digits = `case ${[0, 3, 4]
  .map(
    (count) =>
      `when h.currency_code in (${currenciesWith(count)
        .map((code) => `'${code}'`)
        .join(', ')}) then ${10 ** count}`,
  )
  .join(' ')} else 100 end`

function holding(kind: HoldingKind, what: ImportedKind, schema: CarriedKind['schema']): CarriedKind {
  const pointers = ['clientGuid', 'debtorGuid', 'customerGuid']
  const own = kind.members.filter((name) => !pointers.includes(name))
  const has = (name: string) => kind.members.includes(name)
  return {
    what,
    schema,
    entity: kind.entity,
    custom: 'h.custom',
    members: {
      sourceReference: 'h.id',
      partyReferenceCode: 'p.reference_code',
      ...memberColumns(own, 'h'),
      ...(has('amount') && { amount: `h.amount_minor / (${digits})::float8` }),
      ...(has('debtorGuid') && {
        debtorReference: '(select debtor_reference from debtor where id = h.debtor_id)',
      }),
      ...(has('customerGuid') && {
        customerNumber: '(select customer_number from customer where id = h.customer_id)',
      }),
    },
    from: `${kind.table} h join party p on p.id = h.client_id order by h.id`,
  }
}

export const clientRecords: CarriedKind[] = [
  holding(kinds.thirdParty, 'thirdparties', holdings.ThirdPartyRow),
  holding(kinds.account, 'accounts', holdings.AccountRow),
  holding(kinds.customer, 'customers', holdings.CustomerRow),
  holding(kinds.purchase, 'purchases', holdings.PurchaseRow),
  holding(kinds.object, 'objects', holdings.ObjectRow),
]
