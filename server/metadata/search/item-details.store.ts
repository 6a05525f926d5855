/** What tells hits from others of their name. */
import type { SearchHit } from '../../../contract/metadata/search.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { RankedItem } from './search.rules.ts'

/** Of a debtor, or of the main debtor of a case or of an invoice's case. */
type ItemDetails = Pick<SearchHit, 'dateOfBirth' | 'organisationNumber' | 'city' | 'debtorName' | 'caseGuid'>

const noDetails: ItemDetails = {
  dateOfBirth: null,
  organisationNumber: null,
  city: null,
  debtorName: null,
  caseGuid: null,
}

/** Adds the details of items that the caller was found to see: who may see an item may see them. */
export async function addDetails(db: Db, items: readonly RankedItem[]): Promise<SearchHit[]> {
  const described = items.filter(({ type }) => type === 1 || type === 3 || type === 5)
  const rows =
    described.length === 0
      ? []
      : await runStatement<{ guid: string; details: ItemDetails }>(
          db,
          detailsText,
          [described.map(({ guid }) => guid), described.map(({ type }) => type)],
          { prepare: true },
        )
  const known = new Map(rows.map(({ guid, details }) => [guid, details]))
  return items.map((item) => ({ ...item, ...(known.get(item.guid) ?? noDetails) }))
}

/**
 * By key for each item. A protected identity does not show its town here. The limits keep the planner from joining the whole
 * tables, whose rows it would read to save a few looks.
 */
const detailsText = `
  select item.guid, known.details
  from unnest((select $1::uuid[]), (select $2::int[])) item (guid, type)
    left join lateral (select v.case_id from invoice v where item.type = 5 and v.id = item.guid limit 1) billed on true
    left join lateral (
      select c.id, c.main_debtor_id from debt_case c
      where c.id = case item.type when 1 then item.guid when 5 then billed.case_id end limit 1) main on true,
    lateral (
      select json_build_object(
        'dateOfBirth', case when item.type = 3 and d.juridical_type is distinct from 1
          then to_char(d.date_of_birth at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end,
        'organisationNumber', case when item.type = 3 and d.juridical_type = 1 then d.id_number end,
        'city', case when item.type = 3 and d.protected_identity is not true then d.city end,
        'debtorName', case when item.type in (1, 5) then d.full_name end,
        'caseGuid', case when item.type = 5 then main.id end) as details
      from debtor d where d.id = case item.type when 3 then item.guid else main.main_debtor_id end limit 1) known`
