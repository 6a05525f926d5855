/**
 * Erases a debtor's personal data: the records, and what the audit trail, stored answers, jobs, messages, the search and
 * reports of imports keep of them (docs/domain/privacy.md). Used by the operation, and to replay recorded erasures after
 * a restore.
 */
import { holdDate } from '../../ledger/ledger.store.ts'
import { lockDebtor } from '../../parties/debtors/debtor-lock.ts'
import { recordNames, refreshShownAddress } from '../../parties/debtors/debtors.store.ts'
import { snakeCase } from '../../platform/database/columns.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { CustomField } from '../../platform/dictionary/custom-field.ts'
import type { Erasure } from '../../platform/events/anchor.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, toProblem } from '../../platform/http/errors.ts'
import { personalDataTypes } from '../../../contract/metadata/fields.ts'
import { eraseHeldFiles } from '../../treasury/held-files/remove-held-files.ts'
import { eraseUploads } from '../../integration/imports/erase-uploads.ts'
import {
  eraseAnswers,
  eraseBulkActions,
  eraseEntries,
  eraseFavorites,
  eraseJobs,
  eraseMessages,
  eraseReports,
  eraseWords,
  listErasedTexts,
  type EntryRule,
} from './erase-traces.store.ts'
import { findPersonalMembers, isWhole } from './personal-members.ts'
import { listPersonTexts } from './person-texts.ts'

export interface ErasedTraces {
  entries: number
  answers: number
  jobs: number
  messages: number
  reports: number
  /** Letters that were deleted, also before: their files may still be in the folder of letters. */
  documentGuids: string[]
}

export const erasedName = 'Erased'

/** Shorter texts, such as a country, stand in other people's answers too. */
const tellingLength = 6

/** Throws a 404 when there is no such debtor or the caller may not see it. Checks no legal hold. */
export async function eraseDebtor(
  tx: Db,
  caller: Caller,
  { id, debtorId: debtorGuid, kinds, erasedAt }: Erasure,
  { origin, custom }: { origin: Origin; custom: ReadonlyMap<string, readonly CustomField[]> },
): Promise<ErasedTraces> {
  await holdDate(tx)
  await tx`select from debt_case where main_debtor_id = ${debtorGuid} order by id for no key update`
  const { note } = await lockDebtor(tx, caller, debtorGuid, origin)
  const rules = await listRules(tx, debtorGuid, kinds, custom)
  const documentGuids = await listDocuments(tx, debtorGuid)
  await eraseRecords(tx, caller, { debtorGuid, kinds, businessDate: origin.businessDate }, custom)
  await note([
    {
      type: 'debtor.erased',
      entityId: debtorGuid,
      data: { erasureGuid: id, kinds },
      changes: {},
    },
  ])
  const [last] = await tx<{ position: number }[]>`select max(position) as position from audit_entry`
  const { position } = last!
  await tx`
    insert into erasure (id, debtor_id, kinds, erased_at, position)
    values (${id}, ${debtorGuid}, ${[...kinds]}, ${erasedAt}, ${position})`
  const person = await listPersonTexts(tx, debtorGuid, kinds)
  await eraseHeldFiles(tx, person, origin)
  const uploads = await eraseUploads(tx, person)
  rules.push({ subjects: uploads, entity: 'file', personal: null, plain: [] })
  const texts = new Set<string>()
  let entries = 0
  for (const rule of rules) {
    for (const text of await listErasedTexts(tx, rule)) texts.add(text)
    entries += await eraseEntries(tx, rule, { erasureId: id, position })
  }
  const telling = [...texts].filter((text) => text.length >= tellingLength && text !== erasedName)
  const subjects = rules.flatMap((rule) => rule.subjects)
  const problem = toProblem(new ApiError('not-found', 'The personal data in this answer was erased.'), {
    path: `/api/v1/debtors/${debtorGuid}`,
    id,
  })
  const replacement = {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    body: JSON.stringify(problem),
  }
  await eraseFavorites(tx, debtorGuid)
  await eraseWords(tx, [...texts])
  await eraseBulkActions(tx, telling)
  return {
    entries,
    answers: await eraseAnswers(tx, [...telling, ...subjects], replacement),
    jobs: await eraseJobs(tx, [...telling, debtorGuid]),
    messages: await eraseMessages(tx, debtorGuid),
    reports: await eraseReports(tx, telling),
    documentGuids,
  }
}

async function listRules(
  tx: Db,
  debtorGuid: string,
  kinds: readonly number[],
  custom: ReadonlyMap<string, readonly CustomField[]>,
): Promise<EntryRule[]> {
  const whole = isWhole(kinds)
  const files = await listFileRules(tx, debtorGuid, kinds)
  const rules = (['debtor', 'address'] as const).map((entity) => {
    const { personal, plain } = findPersonalMembers(entity, kinds, custom.get(entity) ?? [])
    return { subjects: [debtorGuid], entity, personal: whole ? null : personal, plain }
  })
  if (!whole) return [...rules, ...files]
  const notes = await tx<{ id: string }[]>`
    with about as (
      select ${debtorGuid}::uuid as guid union all select id from debt_case where main_debtor_id = ${debtorGuid})
    select n.id from note n join about a on a.guid = n.item_guid
    union select n.id from deleted_note n join about a on a.guid = n.item_guid`
  const cases = await tx<{ id: string }[]>`select id from debt_case where main_debtor_id = ${debtorGuid}`
  const objections = await tx<{ id: string }[]>`
    select o.id from objection o join debt_case c on c.id = o.case_id where c.main_debtor_id = ${debtorGuid}`
  const approvals = await tx<{ id: string }[]>`
    select a.id from approval a left join debt_case c on c.id = a.case_id
    where c.main_debtor_id = ${debtorGuid} or a.debtor_id = ${debtorGuid}`
  const free = { personal: null, plain: [] }
  return [
    ...rules,
    ...files,
    { subjects: [debtorGuid], entity: 'extrafield', ...free },
    { subjects: notes.map(({ id }) => id), entity: 'note', ...free },
    {
      subjects: cases.map(({ id }) => id),
      entity: 'case',
      personal: ['nextAction', 'demandReason', 'countryReason', 'overrideReason'],
      plain: [],
    },
    // The trail has no texts of objections and approvals, but answers that name one do.
    { subjects: objections.map(({ id }) => id), entity: 'objection', personal: [], plain: [] },
    { subjects: approvals.map(({ id }) => id), entity: 'approval', personal: [], plain: [] },
  ]
}

/** The names of attached files, which are removed as letters are. */
async function listFileRules(tx: Db, debtorGuid: string, kinds: readonly number[]): Promise<EntryRule[]> {
  if (!removesFiles(kinds)) return []
  const files = await tx<{ id: string }[]>`
    with about as (
      select ${debtorGuid}::uuid as guid union all select id from debt_case where main_debtor_id = ${debtorGuid})
    select f.id from attachment f join about a on a.guid = f.item_guid
    union select f.id from deleted_attachment f join about a on a.guid = f.item_guid`
  return [{ subjects: files.map(({ id }) => id), entity: 'attachment', personal: null, plain: [] }]
}

async function listDocuments(tx: Db, debtorGuid: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select distinct data ->> 'documentGuid' as id from audit_entry
    where subject = ${debtorGuid} and type = 'debtor.document_created'`
  return rows.map(({ id }) => id)
}

/** Kinds of personal data in an address and in a letter. */
const { name: nameKind, address: addressKind, birth: birthKind } = personalDataTypes

/** A letter and an attached file can have a name and an address in them. */
const removesFiles = (kinds: readonly number[]) => kinds.includes(nameKind) || kinds.includes(addressKind)

/** What the service for erasure may have left, and all of it after a restore. */
async function eraseRecords(
  tx: Db,
  caller: Caller,
  { debtorGuid, kinds, businessDate }: { debtorGuid: string; kinds: readonly number[]; businessDate: string },
  custom: ReadonlyMap<string, readonly CustomField[]>,
): Promise<void> {
  const { personal } = findPersonalMembers('debtor', kinds, custom.get('debtor') ?? [])
  const emptied = recordNames.filter(
    (name) => personal.includes(name) && name !== 'fullName' && name !== 'gender',
  )
  const set = [
    ...emptied.map((name) => `${snakeCase(name)} = null`),
    ...(kinds.includes(nameKind) ? [`full_name = '${erasedName}'`] : []),
    ...(kinds.includes(birthKind) ? ['gender = 0'] : []),
    'custom = custom - $2::text[]',
    'version = version + 1',
  ]
  const optional = (custom.get('debtor') ?? []).filter(({ required }) => required !== true)
  const codes = optional.map(({ code }) => code).filter((code) => personal.includes(code))
  await runStatement(tx, `update debtor set ${set.join(', ')} where id = $1`, [debtorGuid, codes])
  await tx`
    update item i set primary_description = d.full_name, search_keys = debtor_search_keys(d)
    from debtor d where d.id = ${debtorGuid} and i.guid = d.id`
  if (kinds.includes(addressKind)) await tx`delete from address where debtor_id = ${debtorGuid}`
  else if (kinds.includes(nameKind))
    await tx`update address set full_name = null where debtor_id = ${debtorGuid}`
  await refreshShownAddress(tx, debtorGuid, businessDate)
  if (isWhole(kinds)) {
    await tx`delete from extra_field where debtor_id = ${debtorGuid}`
    await tx`delete from note where item_guid = ${debtorGuid}`
  }
  if (removesFiles(kinds)) await tx`delete from attachment where item_guid = ${debtorGuid}`
  // Of other clients' cases a restricted caller changes nothing.
  if (caller.partyIds !== null) return
  if (isWhole(kinds)) await eraseCaseTexts(tx, debtorGuid)
  if (!removesFiles(kinds)) return
  await tx`delete from attachment a using debt_case c where a.item_guid = c.id and c.main_debtor_id = ${debtorGuid}`
  await tx`delete from message m using document o where m.document_id = o.id and o.debtor_id = ${debtorGuid}`
  await tx`delete from document where debtor_id = ${debtorGuid}`
}

/** What people wrote about the debtor's cases, and about calls with the debtor. */
async function eraseCaseTexts(tx: Db, debtorGuid: string): Promise<void> {
  await tx`delete from note using debt_case c where note.item_guid = c.id and c.main_debtor_id = ${debtorGuid}`
  await tx`update debt_case set next_action = null where main_debtor_id = ${debtorGuid} and next_action is not null`
  await tx`update phone_call set text = null where debtor_id = ${debtorGuid}`
  await tx`
    update objection o set reason = ${erasedName}, evidence = null, received_by = null,
      answer = case when answer is not null then ${erasedName} end,
      decision_reason = case when decision_reason is not null then ${erasedName} end
    from debt_case c where c.id = o.case_id and c.main_debtor_id = ${debtorGuid}`
  await tx`
    update approval a set reason = null, decision_text = null, request = a.request - '{overrideReason,decisionReason,payerReference}'::text[]
    where a.debtor_id = ${debtorGuid} or a.case_id in (select id from debt_case where main_debtor_id = ${debtorGuid})`
}
