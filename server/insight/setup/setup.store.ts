/** Reads the facts that the first steps are judged by. */
import { findPack } from '../../../core/law/packs.ts'
import { findTermsOfClients, type ClientTerms } from '../../claims/client-terms.ts'
import { listMissingRates } from '../../ledger/rates/missing-rates.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { AgencyFacts, ClientFacts, CountryFacts } from './setup.rules.ts'

/** Of so many clients, the oldest, the terms are read. */
const clientsMax = 200

export async function findAgencyFacts(db: Db): Promise<AgencyFacts> {
  const [agency] = await runStatement<AgencyFacts>(
    db,
    `select p.id as "agencyGuid", p.name, p.country_code as "countryCode", p.currency_code as "currencyCode",
       nullif(trim(p.bank_account_no), '') as "bankAccountNo", exists (select from debt_case) as "hasCase",
       exists (select from app_user u where u.user_role = 3 and not u.disabled and not u.api_user) as "hasHandler",
       (select u.id from app_user u where u.user_role in (1, 2) and not u.disabled and not u.api_user
         and lower(u.email) like '%@localhost' order by u.id limit 1) as "unreachableGuid"
     from party p where p.parent_id is null order by p.id limit 1`,
    [],
    { prepare: true },
  )
  return agency!
}

interface ClientRow {
  clientGuid: string
  name: string
  bankAccountNo: string | null
  hasStrategy: boolean
}

/** The agency's oldest clients with their terms. A client without a strategy has that of the party above. */
export async function listClientFacts(db: Db): Promise<ClientFacts[]> {
  const rows = await runStatement<ClientRow>(
    db,
    `with recursive listed as (
       select id, name, nullif(trim(bank_account_no), '') as account, strategy_id, parent_id
       from party where parent_id is not null order by id limit ${clientsMax}
     ), above as (
       select id, strategy_id, parent_id from listed
       union all
       select a.id, p.strategy_id, p.parent_id from above a join party p on p.id = a.parent_id
       where a.strategy_id is null
     )
     select l.id as "clientGuid", l.name, l.account as "bankAccountNo",
       exists (select from above a where a.id = l.id and a.strategy_id is not null) as "hasStrategy"
     from listed l order by l.id`,
    [],
    { prepare: true },
  )
  const terms = await findTermsOfClients(
    db,
    rows.map(({ clientGuid }) => clientGuid),
  )
  return rows.flatMap((row) => {
    const found = terms.get(row.clientGuid)
    return found ? [toClientFacts(row, found)] : []
  })
}

const toClientFacts = (row: ClientRow, terms: ClientTerms): ClientFacts => ({
  ...row,
  countryCode: terms.countryCode,
  currencyCode: terms.currencyCode,
  claimKind: terms.claimKind,
  interest: terms.interest,
  hasFees: Object.keys(terms.fees).length > 0 || (findPack(terms.countryCode)?.fees.length ?? 0) > 0,
})

/** The countries in use, and that of each reference rate that a client's interest follows. */
export async function listCountryFacts(
  db: Db,
  { agency, clients, today }: { agency: AgencyFacts; clients: readonly ClientFacts[]; today: string },
): Promise<CountryFacts[]> {
  const used = [agency.countryCode, ...clients.map(({ countryCode }) => countryCode)]
  const followed = clients.flatMap(({ interest }) => (interest.kind === 'reference' ? [interest.series] : []))
  // A rate that is due within a month is told by the metrics: the setup lacks nothing yet.
  const missing = (await listMissingRates(db)).filter(({ from }) => from <= today)
  const codes = [...new Set([...used, ...followed].filter((code) => code !== null))].toSorted()
  return codes.map((countryCode) => ({
    countryCode,
    hasPack: findPack(countryCode) !== undefined,
    hasRate: !missing.some(({ series }) => series === countryCode),
  }))
}
