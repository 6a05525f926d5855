import { basePath } from '../../../contract/api.ts'
import type { Link } from '../../../contract/metadata/fields.ts'
import * as contract from '../../../contract/access/users.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import { done, notFound } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { changeUser, createUser } from './users.changes.ts'
import * as store from './users.store.ts'

export function serveUsers(service: ServerContext): void {
  const { clock, customFields, settings, totals, sessions } = service
  const countryCode = settings.FORDRA_COUNTRY

  serve(service, contract.listUsers, async ({ db, caller, query }) => ({
    body: await store.listUsers(db, caller, query, {
      totals,
      today: clock.today(),
      customFields: customProperties(await customFields.of('user'), 'u'),
    }),
  }))

  serve(service, contract.createUser, async ({ db, caller, body, origin }) => {
    const { userGuid, credentials } = await createUser(db, caller, body, { origin, countryCode, settings })
    const { body: user, version } = toAnswer((await store.findUser(db, caller, userGuid))!)
    const answer = { body: { ...user, ...credentials }, version, location: `/users/${userGuid}` }
    return credentials ? { ...answer, secrets: ['clientSecret'] } : answer
  })

  serve(service, contract.getUser, async ({ db, caller, params }) => {
    const user = await store.findUser(db, caller, params.userGuid)
    if (!user) throw notFound('user')
    return toAnswer(user)
  })

  serve(service, contract.updateUser, async ({ db, caller, params, body, origin, ifMatch, path }) => {
    const { userGuid } = params
    const version = await changeUser(db, caller, { userGuid, input: body, ifMatch }, { origin, countryCode })
    sessions.forgetUser(userGuid)
    return { body: done('The user is updated.', path), version }
  })

  serve(service, contract.getUserSummary, async ({ db, caller, params }) => {
    const user = await store.findUserSummary(db, caller, params.userGuid)
    if (!user) throw notFound('user')
    return { body: user }
  })
}

function toAnswer({ version, ...user }: store.StoredUser): { body: contract.User; version: number } {
  return { body: { ...user, links: userLinks(user.uniqueId) }, version }
}

function userLinks(guid: string): Link[] {
  const self = `${basePath}/users/${guid}`
  return [
    { type: 'GET', name: 'self', href: self, resource: 'user', guid },
    { type: 'GET', name: 'summary', href: `${self}/summary`, resource: 'usersummary', guid },
  ]
}
