import * as contract from '../../../contract/access/own-sessions.ts'
import { done, notFound } from '../../platform/http/errors.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { deriveCsrfToken, readCookie } from '../../platform/http/cookies.ts'
import { listOwnSessions, revokeOwnSessions } from './own-sessions.store.ts'

export function serveOwnSessions(service: ServerContext): void {
  const { clock, totals, sessions, settings } = service

  serve(service, contract.getSession, async (request) => {
    // The Authorization header takes precedence, as in authentication.
    const byCookie = request.headers.authorization === undefined
    const secret = byCookie ? readCookie(settings, request, 'session') : undefined
    return {
      body: {
        sessionGuid: request.caller.sessionId,
        carriedBy: secret === undefined ? ('token' as const) : ('cookie' as const),
        csrfToken: secret === undefined ? null : deriveCsrfToken(secret),
      },
    }
  })

  serve(service, contract.listSessions, async ({ db, caller, query }) => ({
    body: await listOwnSessions(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.revokeSession, async ({ db, caller, params, origin, path }) => {
    const count = await revokeOwnSessions(db, origin, caller, { only: params.sessionGuid })
    if (count === 0) throw notFound('session of yours')
    sessions.forget(params.sessionGuid)
    return { body: done('The session is ended.', path) }
  })

  serve(service, contract.revokeOtherSessions, async ({ db, caller, origin, path }) => {
    const count = await revokeOwnSessions(db, origin, caller, { except: caller.sessionId })
    sessions.forgetUser(caller.userId)
    return { body: done(`Ended ${count} other ${count === 1 ? 'session' : 'sessions'}.`, path) }
  })
}
