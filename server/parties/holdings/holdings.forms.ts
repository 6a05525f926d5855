import * as layouts from '../../../contract/metadata/forms/holdings.ts'
import { findGeneralDefaults } from '../../platform/dictionary/general-defaults.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import * as kinds from './holding-kinds.ts'
import type { HoldingKind } from './holding-kinds.ts'
import { addHolding, changeHolding, removeHolding } from './holdings.changes.ts'
import { findHolding } from './holdings.store.ts'

export const holdingForms = (service: ServerContext): FormHandler[] => [
  ...makeForms(service, kinds.thirdParty, layouts.thirdPartyForms),
  ...makeForms(service, kinds.account, layouts.accountForms),
  ...makeForms(service, kinds.customer, layouts.customerForms),
  ...makeForms(service, kinds.purchase, layouts.purchaseForms),
  ...makeForms(service, kinds.object, layouts.objectForms),
]

type Layouts = typeof layouts.thirdPartyForms
type Values = Record<string, unknown>

function makeForms(
  { settings, clock }: ServerContext,
  kind: HoldingKind,
  { create, edit }: Layouts,
): FormHandler[] {
  const loadContext = async (db: Db, origin: Origin) => {
    const { countryCode, currencyCode } = await findGeneralDefaults(db, settings)
    return { countryCode, currencyCode, today: clock.today(), origin }
  }
  const storedIn = {
    table: kind.table,
    columns: { ...kind.columns, [kind.guidName]: 'id', amount: 'amount_minor' },
  }
  return [
    handle(create, {
      storedIn,
      defaults: async ({ db }) => {
        const { countryCode, currencyCode } = await findGeneralDefaults(db, settings)
        return { countryCode, currencyCode }
      },
      create: async ({ db, caller, body, origin }) => {
        const made = await addHolding(db, caller, kind, body as Values, await loadContext(db, origin))
        return { record: made, version: made.version }
      },
    }),
    handle(edit, {
      storedIn,
      find: async ({ db, caller, id }) => {
        const found = await findHolding(db, caller, kind, id)
        if (!found) throw notFound(kind.noun)
        return { record: found, version: found.version }
      },
      store: async ({ db, caller, id, body, origin, ifMatch }) => {
        const change = { guid: id, input: body as Values, ifMatch }
        return changeHolding(db, caller, kind, change, await loadContext(db, origin))
      },
      remove: ({ db, caller, id, origin, ifMatch }) =>
        removeHolding(db, caller, kind, { guid: id, ifMatch }, origin),
    }),
  ]
}
