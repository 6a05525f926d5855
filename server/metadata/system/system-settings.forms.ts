import { systemSettingsEdit } from '../../../contract/metadata/forms/system.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { changeSystemSettings, findSystemSettings } from './system-settings.changes.ts'

export function systemSettingForms({ settings }: ServerContext): FormHandler[] {
  const environment = { countryCode: settings.FORDRA_COUNTRY, currencyCode: settings.FORDRA_CURRENCY }
  return [
    handle(systemSettingsEdit, {
      find: async ({ db }) => {
        const found = await findSystemSettings(db, environment)
        return { record: found.settings, version: found.version }
      },
      store: ({ db, body, origin, ifMatch }) =>
        changeSystemSettings(db, { input: body, ifMatch }, { environment, origin }),
    }),
  ]
}
