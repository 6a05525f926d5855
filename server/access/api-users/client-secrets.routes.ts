import * as contract from '../../../contract/access/client-secrets.ts'
import { done } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { endClientSecret, makeSecret, requireManagedUser } from './client-secrets.changes.ts'
import { listClientSecrets } from './client-secrets.store.ts'

export function serveClientSecrets(service: ServerContext): void {
  const { clock, totals, sessions, settings } = service

  serve(service, contract.listClientSecrets, async ({ db, caller, params: { userGuid }, query }) => {
    await requireManagedUser(db, caller, userGuid)
    return { body: await listClientSecrets(db, userGuid, query, { totals, today: clock.today() }) }
  })

  serve(service, contract.createClientSecret, async ({ db, caller, params, body, origin }) => {
    const context = { origin, timeZone: settings.FORDRA_TIME_ZONE }
    return {
      body: await makeSecret(db, caller, { ...params, ...body }, context),
      secrets: ['clientSecret'],
    }
  })

  serve(service, contract.endClientSecret, async ({ db, caller, params, origin, path }) => {
    await endClientSecret(db, caller, params, origin)
    sessions.forgetUser(params.userGuid)
    return { body: done('The secret is ended.', path) }
  })
}
