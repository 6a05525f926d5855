/** Reads what contact permission depends on (core/law/contact.ts), by debtor. */
import type { ContactFacts, ContactPerson, ContactRules, Consent } from '../../core/law/contact.ts'
import { isUnderAged } from '../../core/identity/age.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'

interface PersonColumns {
  timeZone: string | null
  country: string | null
  protectedIdentity: boolean | null
  hasForwardingAddress: boolean
  emailConsent: Consent | null
  smsConsent: Consent | null
  phoneConsent: Consent | null
}

interface Row {
  debtorGuid: string
  governingCountry: string | null
  dateOfBirth: string | null
  underAged: boolean | null
  isDeceased: boolean
  debtor: PersonColumns
  guardianGuid: string | null
  guardian: PersonColumns | null
  languageCode: string | null
  contacts: string[]
}

const person = (d: string) => `jsonb_build_object('timeZone', ${d}.time_zone, 'country', ${d}.country_code,
  'protectedIdentity', ${d}.protected_identity, 'hasForwardingAddress', ${d}.forwarding_address is not null,
  'emailConsent', ${d}.email_consent, 'smsConsent', ${d}.sms_consent, 'phoneConsent', ${d}.phone_consent)`

/**
 * The case is the one that it is about; else any case of the debtor tells the governing country. A closed case keeps its
 * hold: a death does not end with the claim. A message counts from the moment when it was permitted to leave.
 */
const select = `
  select d.id as "debtorGuid",
    coalesce((select c.governing_country from debt_case c where c.id = $2::uuid),
      (select c.governing_country from debt_case c where c.main_debtor_id = d.id and c.governing_country is not null
       order by c.closure_code is not null, c.id desc limit 1), d.country_code) as "governingCountry",
    to_char(d.date_of_birth at time zone 'UTC', 'YYYY-MM-DD') as "dateOfBirth", d.under_aged as "underAged",
    exists (select from debt_case c where c.main_debtor_id = d.id
      and (c.hold = 'HOLD_DECEASED' or c.closure_code = 'DECEASED')) as "isDeceased",
    ${person('d')} as debtor, g.id as "guardianGuid", case when g.id is not null then ${person('g')} end as guardian,
    coalesce(g.language_code, d.language_code) as "languageCode",
    array(select to_char(u.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from (
      select coalesce(m.sent_at, m.permitted_at) as at from message m
      where m.debtor_id = d.id and m.channel in ('email', 'sms') and m.id is distinct from $3::uuid
      union all
      select p.created_at from phone_call p where p.debtor_id = d.id and p.right_party and not p.inbound
    ) u where u.at > now() - interval '7 days') as contacts
  from debtor d
    left join lateral (
      select k.debtor_id as id from case_debtor k join debt_case c on c.id = k.case_id
      where c.main_debtor_id = d.id and k.debtor_role = 'GUARDIAN'
      order by k.case_id is distinct from $2::uuid, c.closure_code is not null, k.case_id desc, k.debtor_id limit 1
    ) guarding on true
    left join debtor g on g.id = guarding.id
  where d.id = $1::uuid`

export interface DebtorContact {
  facts: ContactFacts
  /** Of the debtor or the guardian, whoever is addressed. */
  languageCode: string | null
  guardianGuid: string | null
}

export interface ContactSubject {
  debtorGuid: string
  caseGuid: string | null
  /** The message that asks, which does not count against itself. */
  messageGuid?: string
}

/** What is known of a debtor, as of a business date; of a case when one is given. */
export async function findDebtorContact(
  db: Db,
  { debtorGuid, caseGuid, messageGuid = undefined }: ContactSubject,
  date: string,
): Promise<DebtorContact> {
  const values = [debtorGuid, caseGuid, messageGuid ?? null]
  const [row] = await runStatement<Row>(db, select, values, { prepare: true })
  const { dateOfBirth, underAged, guardianGuid } = row!
  return {
    languageCode: row!.languageCode,
    guardianGuid,
    facts: {
      country: row!.governingCountry,
      isMinor: dateOfBirth === null ? underAged === true : isUnderAged(dateOfBirth, date),
      isDeceased: row!.isDeceased,
      debtor: toPerson(row!.debtor),
      guardian: row!.guardian && toPerson(row!.guardian),
      contacts: row!.contacts,
    },
  }
}

const toPerson = ({
  timeZone,
  country,
  protectedIdentity,
  hasForwardingAddress,
  ...one
}: PersonColumns): ContactPerson => ({
  timeZone,
  country,
  hasProtectedIdentity: protectedIdentity === true,
  hasForwardingAddress,
  consent: { email: one.emailConsent, sms: one.smsConsent, telephone: one.phoneConsent },
})

/** The installation's own rules of contact. */
export async function findContactRules(db: Db): Promise<ContactRules> {
  const [row] = await db<{ settings: { contactsPerWeek?: number; proposedContactRules?: boolean } }[]>`
    select settings from system_setting`
  const { contactsPerWeek, proposedContactRules } = row!.settings
  return { perWeek: contactsPerWeek ?? null, proposed: proposedContactRules === true }
}
