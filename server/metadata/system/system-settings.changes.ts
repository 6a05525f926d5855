/** The installation's settings and their history. */
import type { SystemSettings } from '../../../contract/metadata/system-settings.ts'
import {
  currencyDecimals,
  isCountry,
  isCurrency,
  isLanguage,
  normaliseCountry,
  normaliseCurrency,
  normaliseLanguage,
} from '../../../core/identity/codes.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { changesBetween, insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { FieldErrors } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'

export type StoredSettings = { [N in keyof SystemSettings]?: NonNullable<SystemSettings[N]> }

/** Default settings. Country and currency come from the environment. */
const defaultSettings = {
  languageCode: 'en',
  tolerance: 0,
  firstDueDays: 30,
  graceDays: 5,
  missesToBreach: 2,
  registrationFee: 0,
  invoiceFee: 0,
  reminderFee: 0,
} as const

export interface Environment {
  countryCode: string
  currencyCode: string
}

/** The effective settings and their version. */
export async function findSystemSettings(
  db: Db,
  environment: Environment,
): Promise<{ settings: StoredSettings; version: number }> {
  const [row] = await db<{ settings: StoredSettings; version: number }[]>`
    select settings, version from system_setting`
  return { settings: effectiveSettings(row!.settings, environment), version: row!.version }
}

/** Fills stored settings with the defaults. */
export const effectiveSettings = (stored: StoredSettings, environment: Environment): StoredSettings => ({
  ...environment,
  ...defaultSettings,
  ...stored,
  contactsUnlimited: stored.contactsPerWeek === undefined,
})

/** Returns the version after the change. The state before goes into the history. Throws a 400 or 412. */
export async function changeSystemSettings(
  db: Db,
  { input, ifMatch }: { input: SystemSettings; ifMatch: IfMatch },
  { environment, origin }: { environment: Environment; origin: Origin },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const [held] = await tx<{ id: string; settings: StoredSettings; version: number; sequence: number }[]>`
      select id, settings, version, event_sequence as sequence from system_setting for update`
    const { id, settings: before, version, sequence } = held!
    requireMatch(ifMatch, version)
    const after = apply(before, input, environment)
    const changes = changesBetween({ ...clearAll(after), ...before }, { ...clearAll(before), ...after })
    if (Object.keys(changes).length === 0) return version
    await tx`
      insert into system_setting_history (version, settings, business_date, replaced_by)
      values (${version}, ${tx.json(before)}, ${origin.businessDate}, ${origin.actorId})`
    await tx`
      update system_setting set settings = ${tx.json(after)}, version = version + 1, event_sequence = event_sequence + 1`
    const data = { changed: Object.keys(changes) }
    const note: Change = {
      type: 'systemsettings.updated',
      entityId: id,
      subject: id,
      sequence: sequence + 1,
      data,
      changes,
    }
    await insertRecords(tx, toRecords(origin, [note]))
    return version + 1
  })
}

const clearAll = (record: object) => Object.fromEntries(Object.keys(record).map((name) => [name, null]))

const codes = {
  countryCode: [isCountry, normaliseCountry, 'must be a country of ISO 3166-1 such as SE.'],
  currencyCode: [isCurrency, normaliseCurrency, 'must be a currency of ISO 4217 such as SEK.'],
  languageCode: [isLanguage, normaliseLanguage, 'must be a language of ISO 639-1 such as sv.'],
} as const

const amounts = [
  'tolerance',
  'registrationFee',
  'invoiceFee',
  'reminderFee',
  'letterPrice',
  'emailPrice',
  'smsPrice',
  'callPrice',
] as const

/** A cleared setting falls back to its default. */
function apply(before: StoredSettings, input: SystemSettings, environment: Environment): StoredSettings {
  const checks = new FieldErrors()
  const after: Record<string, string | number | boolean> = { ...before }
  for (const [name, value] of Object.entries(input)) {
    // Said by the limit itself, which a number cannot clear.
    if (value === null || value === undefined || name === 'contactsUnlimited') continue
    if (value === '') delete after[name]
    else after[name] = value
  }
  if (input.contactsUnlimited === true) {
    if (typeof input.contactsPerWeek === 'number')
      checks.add('contactsPerWeek', 'goes without contactsUnlimited: contacts are limited or not.')
    delete after['contactsPerWeek']
  }
  for (const [name, [isKnown, spell, message]] of Object.entries(codes)) {
    if (after[name] === undefined) continue
    after[name] = spell(String(after[name]))
    if (!isKnown(after[name])) checks.add(name, message)
  }
  const currencyCode = String(after['currencyCode'] ?? environment.currencyCode)
  const decimals = currencyDecimals(currencyCode) ?? 2
  for (const name of amounts) {
    const amount = after[name]
    if (typeof amount !== 'number') continue
    if (amount < 0) checks.add(name, 'must be at least 0.')
    else if (Number(amount.toFixed(decimals)) !== amount)
      checks.add(name, `must have at most ${decimals} decimals, as ${currencyCode} has.`)
  }
  checks.throwIfAny()
  // Amounts keep the currency in which they were entered, even if the environment's currency changes later.
  if (amounts.some((name) => after[name] !== undefined)) after['currencyCode'] = currencyCode
  return after as StoredSettings
}
