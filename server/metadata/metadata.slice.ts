import type { Slice } from '../access/serve/slice.ts'
import { deleteOldAnswers } from '../platform/http/idempotency.ts'
import { purgeJobs } from '../platform/jobs/jobs.store.ts'
import { purgeMessages } from '../platform/messages/messages.store.ts'
import { serveAttachments } from './attachments/attachments.routes.ts'
import { purgeDrafts } from './attachments/attachments.store.ts'
import { countLookupUses, fieldForms } from './fields/fields.forms.ts'
import { serveFields } from './fields/fields.routes.ts'
import { serveForms } from './forms/forms.routes.ts'
import type { FormRegistry } from './forms/registry.ts'
import { lookupValueForms } from './lookups/lookup-values.forms.ts'
import { serveLookupValues } from './lookups/lookup-values.routes.ts'
import { findLookupValue, isClosedLookup, isShortLookup } from './lookups/registry.ts'
import { serveNavigation } from './navigation/navigation.routes.ts'
import { serveItems } from './search/items.routes.ts'
import { noteForms } from './search/notes.forms.ts'
import { serveSearch } from './search/search.routes.ts'
import { serveInformation } from './system/information.routes.ts'
import { serveJobs } from './system/jobs.routes.ts'
import { serveMessages } from './system/messages.routes.ts'
import { serveSystemDate } from './system/system-date.routes.ts'
import { systemSettingForms } from './system/system-settings.forms.ts'

export const metadataSlice: Slice = {
  routes: [
    serveInformation,
    serveSystemDate,
    serveJobs,
    serveMessages,
    serveSearch,
    serveItems,
    serveAttachments,
    serveLookupValues,
    serveFields,
  ],
  forms: (service) => [...noteForms(), ...systemSettingForms(service)],
  purges: [deleteOldAnswers, purgeMessages, purgeJobs, purgeDrafts],
}

/** The part that needs the forms of all rooms. */
export const formSlice = (registry: () => FormRegistry, onFieldChange: () => void): Slice => ({
  routes: [
    (service) =>
      serveForms(service, registry(), {
        has: async (db, caller, code, key) => (await findLookupValue(db, caller, code, key)) !== undefined,
        isClosed: isClosedLookup,
        isShort: isShortLookup,
      }),
    (service) => serveNavigation(service, registry()),
  ],
  forms: (service) => [
    ...fieldForms(service, { registry, onChange: onFieldChange }),
    ...lookupValueForms((db, value) => countLookupUses(db, registry(), value)),
  ],
})
