/** What a copy needs to be used: its own clock, search, and a user to sign in. */
import { randomBytes } from 'node:crypto'
import { endRequests } from '../../access/approvals/end-requests.ts'
import { findAgency } from '../../access/users/parties.store.ts'
import { noUser } from '../../access/users/users.rules.ts'
import { insertUser } from '../../access/users/users.store.ts'
import { rebuildItems } from '../../integration/commands/commands.store.ts'
import { BackupRefused } from '../../platform/backups/archive.ts'
import type { TransactionSql } from '../../platform/database/driver/sql.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { insertPaymentFileJob } from '../../treasury/posting/payment-file-jobs.ts'

export interface SandboxLogin {
  login: string
  /** Shown once. */
  password: string
}

/** Every other user loses password and sign-in. */
export const drawLogin = (): SandboxLogin => ({
  login: 'sandbox@example.org',
  password: randomBytes(15).toString('base64url'),
})

export interface SandboxFacts {
  masked: boolean
  businessDate: string
  login: string
  passwordHash: string
}

/** What waited in the source for something that is not copied. */
export interface LeftBehind {
  /** Requests for a second person that ended, as their bank file is not copied. */
  endedRequests: number
  /** Bank files whose booking was under way, and goes on in the sandbox. */
  bookedFurther: number
}

export async function finishSandbox(
  to: TransactionSql,
  { masked, businessDate, login, passwordHash }: SandboxFacts,
): Promise<LeftBehind> {
  // Without a set date the sandbox would go on with the real one, however far it was moved.
  await to`update business_clock set system_date = business_date`
  if (masked) await refreshMinors(to)
  const partyId = await findAgency(to)
  if (partyId === undefined) throw new BackupRefused('The source was never started: it has no agency.')
  const record = { ...noUser, email: login, fullName: 'Sandbox', userRole: 2 as const }
  const origin = { actorId: null, requestId: null, operation: 'sandbox', businessDate }
  const userGuid = await insertUser(to, { partyId, record, passwordHash }, origin)
  return {
    endedRequests: await endRequestsOfFiles(to, origin),
    bookedFurther: await bookFurther(to, userGuid),
  }
}

/** Nobody could approve them. */
async function endRequestsOfFiles(to: TransactionSql, origin: Origin): Promise<number> {
  const waiting = await to<{ id: string }[]>`
    select id from approval a where act = 'BANK_FILE' and status = 'WAITING'
      and not exists (select from held_payment_file h where h.id::text = a.request ->> 'heldFileGuid')`
  const guids = waiting.map(({ id }) => id)
  await endRequests(to, guids, 'FILE_NOT_COPIED', origin)
  return guids.length
}

/** Jobs are not copied, so nothing would book what is left of a file. */
async function bookFurther(to: TransactionSql, askedBy: string): Promise<number> {
  const files = await to<{ id: string }[]>`select id from payment_file where posted_at is null`
  for (const { id } of files) await insertPaymentFileJob(to, { fileGuid: id, askedBy, requestId: null })
  return files.length
}

/** What is derived from masked rows: notes and favourites refer to items. No trigger collects the words meanwhile. */
export async function writeItems(to: TransactionSql): Promise<void> {
  await rebuildItems(to)
  await writeOtherItems(to)
  await to`
    insert into search_word (word)
    select distinct substr(lexeme, 4) from item, unnest(tsvector_to_array(lexemes)) lexeme
    where lexeme ~ '^.w:[^0-9]{3,40}$'`
}

/** A masked day of birth is another day of the same month. The rule is that of `rollDebtors`. */
const refreshMinors = (to: TransactionSql) => to`
  update debtor d set under_aged = not under_aged from business_clock b
  where d.date_of_birth is not null and d.under_aged is distinct from
    ((extract(year from d.date_of_birth)::int + 18)::text || to_char(d.date_of_birth, '-MM-DD') > b.business_date::text)`

/** Search items of cases, invoices and client records. Masked references have only letters, digits and signs. */
const writeOtherItems = (to: TransactionSql) => to`
  with compact as (
    select id, 1 as type, array[case_number, payment_reference_number, client_reference_number] as found from debt_case
    union all
    select id, 5, array[invoice_number] from invoice
  ),
  keys as (
    select id, array(select type || 'r:' || lower(regexp_replace(one, '[^0-9A-Za-z]+', '', 'g'))
      from unnest(found) one where one is not null) as found from compact
  )
  insert into item (guid, type, primary_description, secondary_description, party_id, search_keys)
  select c.id, 1, c.case_number, left(concat_ws(', ', p.name, c.client_reference_number), 200), c.client_id, k.found
    from debt_case c join party p on p.id = c.client_id join keys k on k.id = c.id
  union all
  select i.id, 5, coalesce(i.invoice_number, c.case_number || '-' || i.number), c.case_number, c.client_id, k.found
    from invoice i join debt_case c on c.id = i.case_id join keys k on k.id = i.id
  union all select id, 4, name, city, client_id, '{}' from third_party
  union all select id, 6, account_number, name, client_id, '{}' from account
  union all select id, 7, name, customer_number, client_id, '{}' from customer
  union all select id, 8, purchase_number, description, client_id, '{}' from purchase
  union all select id, 9, object_number, coalesce(name, city), client_id, '{}' from object`
