/** What the law lets be done to a case on the business date, for the API and the console. */
import type {
  AnswerDue,
  CasePermissions,
  ContactPermission,
  Permission,
} from '../../contract/cases/permissions.ts'
import { letterKinds } from '../../contract/collection/documents.ts'
import { toMidnight } from '../../core/calendar/date-time.ts'
import { contactChannels } from '../../core/law/contact.ts'
import { citeRule, findPack } from '../../core/law/packs.ts'
import { judge } from '../../core/law/permissions.ts'
import type { Verdict } from '../../core/law/verdict.ts'
import { fromMinor } from '../../core/money/money.ts'
import { askContact, describeContact, type ContactAnswer } from '../claims/contact-permission.ts'
import { findOwnFeeTypes } from '../ledger/fees.store.ts'
import { describeRefusal, isPlanFee } from '../ledger/lawful-fees.ts'
import { countInstalments, findFeeTables, findLegalCases } from '../ledger/legal-cases.store.ts'
import type { Reader } from '../platform/dictionary/reader.ts'
import type { Db } from '../platform/database/transaction.ts'
import { findUnanswered } from './objections/objections.store.ts'

const letters = letterKinds.filter((kind) => kind !== 'statement').map((kind) => `letter:${kind}`)

/** The actions that a country's pack knows, and own fees. Without a pack: the letters, and the two commonest fees. */
function listActions(country: string | null, ownFees: readonly string[]): string[] {
  const pack = findPack(country)
  const fees = (pack?.rules ?? []).flatMap((rule) => {
    if (rule.subject === 'ceiling' || rule.subject === 'scale') return rule.actions
    return rule.subject === 'others' ? rule.allowed.map((type) => `fee:${type}`) : []
  })
  const statuses = (pack?.rules ?? []).flatMap((rule) =>
    'actions' in rule ? rule.actions.filter((action) => action.startsWith('status:')) : [],
  )
  return [
    ...letters,
    ...new Set(statuses),
    ...new Set([
      ...(fees.length > 0 ? fees : ['fee:reminder', 'fee:collectionDemand']),
      ...ownFees.map((type) => `fee:${type}`),
    ]),
  ]
}

export async function findCasePermissions(
  db: Db,
  caseGuid: string,
  { date, reader }: { date: string; reader: Reader },
): Promise<CasePermissions> {
  const one = (await findLegalCases(db, [caseGuid], date)).get(caseGuid)!
  const { country, currency } = one
  const fees = (await findFeeTables(db, [country], date))(country)
  const [row] = await db<{ since: string | null; debtorGuid: string; clientGuid: string }[]>`
    select governing_from as since, main_debtor_id as "debtorGuid", client_id as "clientGuid"
    from debt_case where id = ${caseGuid}`
  const ownFees = await findOwnFeeTypes(db, row!.clientGuid, country)
  const contacts = await askContact(db, contactChannels, {
    debtorGuid: row!.debtorGuid,
    caseGuid,
    at: new Date().toISOString(),
    date,
  })
  const instalments = await countInstalments(db, caseGuid)
  const ask = (action: string) => {
    const [kind, name = ''] = action.split(':')
    return judge(one, { action, date, ...(kind === 'fee' && isPlanFee(name) && { instalments }) }, fees)
  }
  const describe = (verdict: Verdict): Permission => ({
    action: verdict.action,
    allowed: verdict.allowed,
    reason: verdict.allowed ? null : describeRefusal(verdict, { reader, currency }),
    reasonCode: verdict.reason,
    rule: verdict.rule?.code ?? null,
    source: verdict.rule && citeRule(country!, verdict.rule),
    verified: verdict.rule?.status === 'verified',
    overridable: verdict.rule?.override ?? false,
    from: verdict.from && toMidnight(verdict.from),
    highest: verdict.highest === null ? null : fromMinor(verdict.highest, currency),
  })
  return {
    caseGuid,
    date: toMidnight(date),
    governingCountry: country,
    governingFrom: row!.since && toMidnight(row!.since),
    asOf: findPack(country)?.asOf ?? null,
    currencyCode: currency,
    actions: listActions(country, ownFees).map((action) => describe(ask(action))),
    contacts: contacts.map((answer) => toContact(answer, country, reader)),
    answers: await findAnswersDue(db, caseGuid, country),
  }
}

/** What the debtor of a case still waits for an answer to, the earliest first. */
async function findAnswersDue(db: Db, caseGuid: string, country: string | null): Promise<AnswerDue[]> {
  const rows = await findUnanswered(db, caseGuid)
  return rows.map(({ rule: code, ...one }) => {
    const rule = findPack(country)?.rules.find((each) => each.code === code)
    return {
      ...one,
      answerBy: toMidnight(one.answerBy),
      rule: code,
      source: rule ? citeRule(country!, rule) : null,
      verified: rule?.status === 'verified',
    }
  })
}

const toContact = (answer: ContactAnswer, country: string | null, reader: Reader): ContactPermission => ({
  channel: answer.channel,
  allowed: answer.allowed,
  reason: answer.allowed ? null : describeContact(answer, reader),
  reasonCode: answer.reason,
  rule: answer.rule?.code ?? null,
  source: answer.rule && citeRule(country!, answer.rule),
  from: answer.from,
  recipient: answer.recipient,
  recipientGuid: answer.recipientGuid,
  languageCode: answer.languageCode,
  timeZone: answer.timeZone,
})
