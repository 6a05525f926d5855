/** The initial values of new records: from the system settings, else the environment. */
import type { Settings } from '../config.ts'
import type { Db } from '../database/transaction.ts'

export interface GeneralDefaults {
  countryCode: string
  currencyCode: string
  /** Only if the settings have one. */
  languageCode?: string
}

export async function findGeneralDefaults(db: Db, environment: Settings): Promise<GeneralDefaults> {
  const [row] = await db<{ settings: Partial<GeneralDefaults> }[]>`select settings from system_setting`
  const { countryCode, currencyCode, languageCode } = row!.settings
  return {
    countryCode: countryCode ?? environment.FORDRA_COUNTRY,
    currencyCode: currencyCode ?? environment.FORDRA_CURRENCY,
    ...(languageCode !== undefined && { languageCode }),
  }
}
