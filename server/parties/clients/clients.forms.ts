import * as layout from '../../../contract/metadata/forms/clients.ts'
import { findGeneralDefaults } from '../../platform/dictionary/general-defaults.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { addClient, changeClient, removeClient } from './clients.changes.ts'
import { findClient } from './clients.store.ts'

const storedIn = {
  table: 'party',
  columns: { clientGuid: 'id', partyReferenceCode: 'reference_code', parentPartyReferenceCode: 'parent_id' },
}

export const clientForms = ({ settings, sessions }: ServerContext): FormHandler[] => [
  handle(layout.clientCreate, {
    storedIn,
    defaults: async ({ db }) => {
      const { countryCode, currencyCode } = await findGeneralDefaults(db, settings)
      return { countryCode, currencyCode }
    },
    create: async ({ db, caller, body, origin }) => {
      const made = await addClient(db, caller, body, origin)
      // Whoever is restricted to clients may see the new one from now on.
      sessions.forgetUser(caller.userId)
      return { record: made, version: made.version }
    },
  }),
  handle(layout.clientEdit, {
    storedIn,
    find: async ({ db, caller, id }) => {
      const client = await findClient(db, caller, id)
      if (!client) throw notFound('client')
      return { record: client, version: client.version }
    },
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changeClient(db, caller, { clientGuid: id, input: body, ifMatch }, origin),
    remove: ({ db, caller, id, origin, ifMatch }) =>
      removeClient(db, caller, { clientGuid: id, ifMatch }, origin),
  }),
]
