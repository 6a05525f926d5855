import * as layout from '../../../contract/metadata/forms/users.ts'
import { findGeneralDefaults } from '../../platform/dictionary/general-defaults.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { ServerContext } from '../serve/server-context.ts'
import {
  addAccessGroup,
  changeAccessGroup,
  findAccessGroup,
  removeAccessGroup,
} from './access-groups.changes.ts'
import { removeUser } from './remove-user.ts'
import { changeUser, createUser } from './users.changes.ts'
import { findUser } from './users.store.ts'

const storedIn = { table: 'app_user', columns: { uniqueId: 'id', partyReferenceCode: 'party_id' } }

export const userForms = ({ settings, sessions }: ServerContext): FormHandler[] => [
  handle(layout.userCreate, {
    storedIn,
    defaults: async ({ db }) => {
      const { countryCode, languageCode } = await findGeneralDefaults(db, settings)
      const format = { countryFormat: countryCode, ...(languageCode !== undefined && { languageCode }) }
      return { ...format, disabled: false, apiUser: false, invite: false, mfaType: 0 }
    },
    create: async ({ db, caller, body, origin }) => {
      const context = { origin, countryCode: settings.FORDRA_COUNTRY, settings }
      const { userGuid, credentials } = await createUser(db, caller, body, context)
      const made = (await findUser(db, caller, userGuid))!
      const answer = { version: made.version, location: `/users/${userGuid}` }
      if (!credentials) return { record: made, ...answer }
      return { record: { ...made, ...credentials }, ...answer, secrets: ['clientSecret'] }
    },
  }),
  handle(layout.userEdit, {
    storedIn,
    find: async ({ db, caller, id }) => {
      const user = await findUser(db, caller, id)
      if (!user) throw notFound('user')
      return { record: user, version: user.version }
    },
    store: async ({ db, caller, id, body, origin, ifMatch }) => {
      const change = { userGuid: id, input: { ...body, password: body.password ?? null }, ifMatch }
      const context = { origin, countryCode: settings.FORDRA_COUNTRY }
      const version = await changeUser(db, caller, change, context)
      sessions.forgetUser(id)
      return version
    },
    remove: async ({ db, caller, id, origin, ifMatch }) => {
      await removeUser(db, caller, { userGuid: id, ifMatch }, origin)
      sessions.forgetUser(id)
    },
  }),
  handle(layout.accessGroupCreate, {
    create: async ({ db, caller, body, origin }) => {
      const made = await addAccessGroup(db, caller, body, origin)
      return { record: made, version: made.version }
    },
  }),
  handle(layout.accessGroupEdit, {
    find: async ({ db, id }) => {
      const group = await findAccessGroup(db, id)
      if (!group) throw notFound('access group')
      return { record: group, version: group.version }
    },
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changeAccessGroup(db, caller, { guid: id, input: body, ifMatch }, origin),
    remove: ({ db, id, origin, ifMatch }) => removeAccessGroup(db, { guid: id, ifMatch }, origin),
  }),
]
