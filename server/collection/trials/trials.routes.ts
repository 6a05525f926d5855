import * as contract from '../../../contract/collection/trials.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { done, notFound } from '../../platform/http/errors.ts'
import { findResults } from './trial-results.ts'
import { changeTrial, createTrial, removeTrial, startTrial, stopTrial } from './trials.changes.ts'
import { findTrial, listTrials, type FoundTrial } from './trials.store.ts'

async function requireTrial(db: Db, caller: Caller, trialGuid: string): Promise<FoundTrial> {
  const found = await findTrial(db, caller, trialGuid)
  if (!found) throw notFound('trial')
  return found
}

export function serveTrials(service: ServerContext): void {
  serve(service, contract.listTrials, async ({ db, caller }) => ({
    body: { value: await listTrials(db, caller) },
  }))

  serve(service, contract.getTrial, async ({ db, caller, params }) => {
    const { item, version } = await requireTrial(db, caller, params.trialGuid)
    return { body: item, version }
  })

  serve(service, contract.getTrialResults, async ({ db, caller, params }) => {
    const { item } = await requireTrial(db, caller, params.trialGuid)
    return { body: await findResults(db, item, service.clock.today()) }
  })

  serve(service, contract.createTrial, async ({ db, caller, body, origin }) => {
    const trialGuid = await createTrial(db, caller, { input: body, origin })
    const { item } = await requireTrial(db, caller, trialGuid)
    return { body: item, location: `/trials/${trialGuid}` }
  })

  serve(service, contract.updateTrial, async ({ db, caller, params, body, origin, ifMatch }) => {
    const version = await changeTrial(db, caller, params.trialGuid, { input: body, origin, ifMatch })
    return { body: (await requireTrial(db, caller, params.trialGuid)).item, version }
  })

  serve(service, contract.deleteTrial, async ({ db, params, origin, ifMatch, path }) => {
    await removeTrial(db, params.trialGuid, origin, ifMatch)
    return { body: done('The trial is deleted.', path) }
  })

  serve(service, contract.startTrial, async ({ db, caller, params, origin }) => {
    await startTrial(db, params.trialGuid, origin)
    return { body: (await requireTrial(db, caller, params.trialGuid)).item }
  })

  serve(service, contract.stopTrial, async ({ db, caller, params, origin }) => {
    await stopTrial(db, params.trialGuid, origin)
    return { body: (await requireTrial(db, caller, params.trialGuid)).item }
  })
}
