import * as contract from '../../contract/own-sessions.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { done, notFound } from '../http/errors.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { csrfTokenOf, readCookie } from './cookies.ts'
import { listOwnSessions, revokeOwnSessions } from './own-sessions.store.ts'
import { recordOfUser } from './user-record.ts'

/** So many guids of ended sessions the audit trail lists; a program can have thousands. */
const listedMax = 1000

export function serveOwnSessions(service: Service): void {
  const { clock, totals, sessions, settings, sql } = service

  serve(service, contract.getSession, async (request) => {
    // As in the guard, the header decides alone.
    const byCookie = request.headers.authorization === undefined
    const secret = byCookie ? readCookie(settings, request, 'session') : undefined
    return {
      body: {
        sessionGuid: request.caller.sessionId,
        carriedBy: secret === undefined ? ('token' as const) : ('cookie' as const),
        csrfToken: secret === undefined ? null : csrfTokenOf(secret),
      },
    }
  })

  serve(service, contract.listSessions, async ({ db, caller, query }) => ({
    body: await listOwnSessions(db, caller, query, { totals, today: clock.today() }),
  }))

  const revoke = async (caller: Caller, which: { only: string } | { except: string }, origin: Origin) => {
    const count = await inTransaction(sql, async (tx) => {
      const guids = await revokeOwnSessions(tx, caller.userId, which)
      if (guids.length > 0) {
        const data = { userGuid: caller.userId, count: guids.length }
        const ended = [guids.slice(0, listedMax), null] as [string[], null]
        const happened = { action: 'sessions_revoked', data, changes: { sessions: ended } }
        await recordOfUser(tx, caller.userId, happened, origin)
      }
      return guids.length
    })
    sessions.forgetUser(caller.userId)
    return count
  }

  serve(service, contract.revokeSession, async ({ caller, params, origin, path }) => {
    if ((await revoke(caller, { only: params.sessionGuid }, origin)) === 0) throw notFound('session of yours')
    return { body: done('The session is ended.', path) }
  })

  serve(service, contract.revokeOtherSessions, async ({ caller, origin, path }) => {
    const count = await revoke(caller, { except: caller.sessionId }, origin)
    return { body: done(`Ended ${count} other ${count === 1 ? 'session' : 'sessions'}.`, path) }
  })
}
