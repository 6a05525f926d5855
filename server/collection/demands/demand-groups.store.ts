/** Demand groups: the cases that are demanded together, and their payment reference. */
import { makeId } from '../../platform/database/make-id.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface NewGroup {
  clientGuid: string
  debtorGuid: string
  currencyCode: string
  /** Null where only the client wants it. */
  rule: string | null
  caseGuids: readonly string[]
}

const groupTypes = {
  id: 'uuid',
  number: 'bigint',
  client_id: 'uuid',
  debtor_id: 'uuid',
  payment_reference_number: 'text',
  rule: 'text',
}
const memberTypes = { group_id: 'uuid', case_id: 'uuid' }

/** Returns the groups in the order given. */
export async function insertGroups(
  tx: Db,
  made: readonly NewGroup[],
  { date, makeReference }: { date: string; makeReference: (number: number, currencyCode: string) => string },
): Promise<{ groupGuid: string; reference: string }[]> {
  if (made.length === 0) return []
  const numbers = await tx<{ number: number }[]>`
    select nextval('demand_group_number')::float8 as number from generate_series(1, ${made.length}::int)`
  const groups = made.map(({ currencyCode, ...group }, index) => ({
    ...group,
    groupGuid: makeId(),
    number: numbers[index]!.number,
    reference: makeReference(numbers[index]!.number, currencyCode),
  }))
  const rows = groups.map((one) => ({
    id: one.groupGuid,
    number: one.number,
    client_id: one.clientGuid,
    debtor_id: one.debtorGuid,
    payment_reference_number: one.reference,
    rule: one.rule,
  }))
  await tx`
    insert into demand_group (id, number, client_id, debtor_id, payment_reference_number, rule, demanded_date)
    select n.id, n.number, n.client_id, n.debtor_id, n.payment_reference_number, n.rule, ${date}::date
    from ${rowsIn(tx, groupTypes, rows)} n`
  const members = groups.flatMap(({ groupGuid, caseGuids }) =>
    caseGuids.map((caseGuid) => ({ group_id: groupGuid, case_id: caseGuid })),
  )
  await tx`
    insert into demand_group_case (group_id, case_id, joined_date)
    select n.group_id, n.case_id, ${date}::date from ${rowsIn(tx, memberTypes, members)} n`
  return groups
}

export async function findGroupReferences(
  db: Db,
  groupGuids: readonly string[],
): Promise<Map<string, string>> {
  if (groupGuids.length === 0) return new Map()
  const rows = await db<{ id: string; reference: string }[]>`
    select id, payment_reference_number as reference from demand_group where id = any(${[...groupGuids]}::uuid[])`
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/** Notes which cases each letter demands together. */
export async function insertLetterCases(
  tx: Db,
  letters: readonly { documentGuid: string; caseGuids: readonly string[] }[],
): Promise<void> {
  const rows = letters.flatMap(({ documentGuid, caseGuids }) =>
    caseGuids.map((caseGuid) => ({ document_id: documentGuid, case_id: caseGuid })),
  )
  if (rows.length === 0) return
  await tx`
    insert into demand_letter_case (document_id, case_id)
    select n.document_id, n.case_id from ${rowsIn(tx, { document_id: 'uuid', case_id: 'uuid' }, rows)} n`
}
