import * as layouts from '../../contract/forms/holdings.ts'
import { handle, type FormHandler } from '../forms/handler.ts'
import { notFound } from '../http/errors.ts'
import type { Service } from '../http/service.ts'
import * as kinds from './holding-kinds.ts'
import type { HoldingKind } from './holding-kinds.ts'
import { addHolding, changeHolding, removeHolding } from './holdings.changes.ts'
import { findHolding } from './holdings.store.ts'

export const holdingForms = (service: Service): FormHandler[] => [
  ...formsOf(service, kinds.thirdParty, layouts.thirdPartyForms),
  ...formsOf(service, kinds.account, layouts.accountForms),
  ...formsOf(service, kinds.customer, layouts.customerForms),
  ...formsOf(service, kinds.purchase, layouts.purchaseForms),
  ...formsOf(service, kinds.object, layouts.objectForms),
]

type Layouts = typeof layouts.thirdPartyForms
type Values = Record<string, unknown>

function formsOf({ settings, clock }: Service, kind: HoldingKind, { create, edit }: Layouts): FormHandler[] {
  const defaults = { countryCode: settings.FORDRA_COUNTRY, currencyCode: settings.FORDRA_CURRENCY }
  const context = () => ({ ...defaults, today: clock.today() })
  const storedIn = {
    table: kind.table,
    columns: { ...kind.columns, [kind.guidName]: 'id', amount: 'amount_minor' },
  }
  return [
    handle(create, {
      storedIn,
      defaults: () => defaults,
      create: async ({ db, caller, body, origin }) => {
        const made = await addHolding(db, caller, kind, body as Values, { ...context(), origin })
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
      store: ({ db, caller, id, body, origin, ifMatch }) =>
        changeHolding(
          db,
          caller,
          kind,
          { guid: id, input: body as Values, ifMatch },
          { ...context(), origin },
        ),
      remove: ({ db, caller, id, origin, ifMatch }) =>
        removeHolding(db, caller, kind, { guid: id, ifMatch }, origin),
    }),
  ]
}
