import * as contract from '../../../contract/work/bulk-actions.ts'
import type { BulkAction } from '../../../contract/work/bulk-actions.ts'
import { foreseeBulkLetters } from '../../../contract/work/bulk-letters.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import * as changes from './bulk-actions.changes.ts'
import { foreseeLetters } from './foresee-letters.ts'
import * as store from './bulk-actions.store.ts'

export function serveBulkActions(service: ServerContext): void {
  const { clock, totals } = service
  const context = () => ({ totals, today: clock.today() })
  const customFields = async () => customProperties(await service.customFields.of('case'), 'c')

  serve(service, contract.startBulkAction, async ({ db, caller, origin, body }) => {
    const made = await changes.startBulkAction(
      db,
      { caller, origin, customFields: await customFields() },
      body,
    )
    return accepted(db, caller, made)
  })

  serve(service, foreseeBulkLetters, async ({ db, caller, origin, body }) => ({
    body: await foreseeLetters(db, { caller, origin, customFields: await customFields() }, body),
  }))

  serve(service, contract.listBulkActions, async ({ db, caller, query }) => ({
    body: await store.listBulkActions(db, caller, query, context()),
  }))

  serve(service, contract.getBulkAction, async ({ db, caller, params }) => ({
    body: await read(db, caller, params.bulkActionGuid),
  }))

  serve(service, contract.listBulkRows, async ({ db, caller, params, query }) => {
    const { bulkActionGuid } = params
    const body = await store.listBulkRows(db, caller, { ...query, bulkActionGuid }, context())
    await read(db, caller, bulkActionGuid)
    return { body }
  })

  serve(service, contract.stopBulkAction, async ({ db, caller, origin, params }) => {
    await changes.stopBulkAction(
      db,
      { caller, origin, customFields: await customFields() },
      params.bulkActionGuid,
    )
    return { body: await read(db, caller, params.bulkActionGuid) }
  })

  serve(service, contract.undoBulkAction, async ({ db, caller, origin, params }) => {
    await changes.undoBulkAction(
      db,
      { caller, origin, customFields: await customFields() },
      params.bulkActionGuid,
    )
    return accepted(db, caller, params.bulkActionGuid)
  })
}

async function read(db: Db, caller: Caller, bulkActionGuid: string): Promise<BulkAction> {
  const found = await store.findBulkAction(db, caller, bulkActionGuid)
  if (!found) throw notFound('bulk action')
  return found
}
const accepted = async (db: Db, caller: Caller, bulkActionGuid: string) => ({
  body: await read(db, caller, bulkActionGuid),
  location: `/bulkactions/${bulkActionGuid}`,
})
