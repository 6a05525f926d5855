/** Clients and their terms, which cases take over when they are registered. */
import type { ClientChange, ClientInput } from '../../contract/case-inputs.ts'
import { allocationOrderCodes } from '../../core/allocation.ts'
import { isCountry, normaliseCountry } from '../../core/codes.ts'
import { formatMinor } from '../../core/money.ts'
import { inTransaction, violatedUniqueness, type Db } from '../database/transaction.ts'
import { changesOfNew, changesBetween, insertRecords, recordsOf } from '../events/record.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, MemberChecks, notFound } from '../http/errors.ts'
import { findAgency, findParties, insertParty } from '../users/parties.store.ts'
import { readChoice, readCurrency, readMoney, readTerms } from './case-inputs.rules.ts'
import type { CaseContext } from './case-lock.ts'
import { columnsOfInterest } from './client-terms.ts'
import { findRatesNow } from './reference-rates.store.ts'

const maySee = ({ partyIds }: Caller, guid: string) => partyIds === null || partyIds.includes(guid)

/** Makes a client below the agency, or below another client. A reference code that there is already is a 409. */
export async function createClient(
  db: Db,
  caller: Caller,
  input: ClientInput,
  { origin }: CaseContext,
): Promise<{ clientGuid: string }> {
  return inTransaction(db, async (tx) => {
    const checks = new MemberChecks()
    const name = input.name?.trim()
    const referenceCode = input.partyReferenceCode?.trim()
    if (!name) checks.add('name', 'is required.')
    if (!referenceCode) checks.add('partyReferenceCode', 'is required.')
    const parentId = await findParent(tx, caller, input.parentPartyReferenceCode, checks)
    const columns = await readColumns(tx, input, null, checks)
    checks.throwIfAny()
    const party = { referenceCode: referenceCode!, name: name!, parentId: parentId! }
    const clientGuid = await insertParty(tx, party).catch((error: unknown) => {
      if (violatedUniqueness(error) !== 'party_reference_code') throw error
      const message = 'belongs to another party.'
      throw new ApiError('conflict', `partyReferenceCode ${message}`, {
        errors: { partyReferenceCode: [message] },
      })
    })
    await tx`update party set ${tx({ ...columns, event_sequence: 1 } as never)} where id = ${clientGuid}`
    const record = {
      type: 'client.created',
      entityId: clientGuid,
      subject: clientGuid,
      sequence: 1,
      data: { clientGuid },
      changes: changesOfNew({ ...party, ...columns }),
    }
    await insertRecords(tx, recordsOf(origin, [record]))
    return { clientGuid }
  })
}

async function findParent(
  db: Db,
  caller: Caller,
  code: string | null | undefined,
  checks: MemberChecks,
): Promise<string | null> {
  if (!code?.trim()) {
    if (caller.partyIds === null) return (await findAgency(db)) ?? null
    checks.add('parentPartyReferenceCode', 'is required: a client that you may see.')
    return null
  }
  const [party] = await findParties(db, [code.trim()])
  if (party && maySee(caller, party.partyId)) return party.partyId
  checks.add('parentPartyReferenceCode', 'is not the reference code of a party that you may see.')
  return null
}

/** Changes a client; the agency's own terms are the installation's. Cases that there are keep theirs. */
export async function changeClient(
  db: Db,
  caller: Caller,
  { clientGuid, input }: { clientGuid: string; input: ClientChange },
  { origin }: CaseContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [before] = await tx<(Record<string, unknown> & { event_sequence: number })[]>`
      select name, country_code, currency_code, bank_account_no, trim_scale(interest_rate)::text as interest_rate,
        interest_series, trim_scale(interest_points)::text as interest_points, allocation_order,
        trim_scale(tolerance)::text as tolerance, event_sequence
      from party where id = ${clientGuid} for update`
    if (!before || !maySee(caller, clientGuid)) throw notFound('client')
    const { event_sequence: sequence, ...old } = before
    const checks = new MemberChecks()
    const columns = await readColumns(tx, input, (old['currency_code'] as string | null) ?? null, checks)
    const name = input.name?.trim()
    if (input.name === '') checks.add('name', 'cannot be cleared.')
    checks.throwIfAny()
    const changes = changesBetween(old, { ...old, ...columns, ...(name && { name }) })
    if (Object.keys(changes).length === 0) return
    const values = Object.fromEntries(Object.entries(changes).map(([column, [, value]]) => [column, value]))
    await tx`
      update party set ${tx({ ...values, event_sequence: sequence + 1 } as never)}, version = version + 1 where id = ${clientGuid}`
    if (name) await tx`update item set primary_description = ${name} where guid = ${clientGuid}`
    const record = {
      type: 'client.updated',
      entityId: clientGuid,
      subject: clientGuid,
      sequence: sequence + 1,
      data: { clientGuid, changed: Object.keys(changes) },
      changes,
    }
    await insertRecords(tx, recordsOf(origin, [record]))
  })
}

/** The columns that an input gives: what is omitted or null stays, the empty text clears. */
async function readColumns(
  db: Db,
  input: ClientChange,
  currencyBefore: string | null,
  checks: MemberChecks,
): Promise<Record<string, unknown>> {
  const columns: Record<string, unknown> = {}
  const given = input.countryCode === '' ? null : normaliseCountry(input.countryCode ?? '')
  if (given && !isCountry(given)) checks.add('countryCode', 'must be a country of ISO 3166-1 such as SE.')
  if (input.countryCode !== undefined && input.countryCode !== null) columns['country_code'] = given
  const currency = input.currencyCode ? readCurrency(input.currencyCode, null, checks) : currencyBefore
  if (input.currencyCode) columns['currency_code'] = currency
  if (typeof input.bankAccountNo === 'string') columns['bank_account_no'] = input.bankAccountNo.trim() || null
  const order = readChoice(input.allocationOrder, 'allocationOrder', allocationOrderCodes, checks)
  if (typeof input.allocationOrder === 'string') columns['allocation_order'] = order
  const terms = readTerms(input, checks)
  if (terms?.kind === 'reference' && !(await findRatesNow(db)).get(terms.series)?.length)
    checks.add('interestSeries', `needs reference rates of ${terms.series}, which there are none of.`)
  if (terms) Object.assign(columns, columnsOfInterest(terms))
  const expected = { currency, least: 'zero', required: false } as const
  const tolerance = readMoney(input.tolerance, 'tolerance', expected, checks)
  if (tolerance !== null && currency === null)
    checks.add('tolerance', 'needs currencyCode: it is an amount in the client’s currency.')
  if (tolerance !== null && currency !== null)
    columns['tolerance'] = trimZeros(formatMinor(tolerance, currency))
  return columns
}

const trimZeros = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)
