import * as contract from '../../../contract/parties/extra-fields.ts'
import { done } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { requireDebtor } from './debtor-lock.ts'
import {
  addExtraField,
  changeExtraField,
  pickField,
  removeExtraField,
  requireExtraField,
} from './extra-fields.changes.ts'
import { listExtraFields } from './extra-fields.store.ts'

export function serveExtraFields(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listExtraFields, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    return { body: await listExtraFields(db, debtor, query, { totals, today: clock.today() }) }
  })

  serve(service, contract.createExtraField, async ({ db, caller, params: { debtorGuid }, body, origin }) => {
    const field = await addExtraField(db, caller, { debtorGuid, input: body }, origin)
    const location = `/debtors/${debtorGuid}/extrafields/${encodeURIComponent(field.name)}`
    return { body: field, version: 1, location }
  })

  serve(service, contract.getExtraField, async ({ db, caller, params }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    const field = await requireExtraField(db, debtor, params.name)
    return { body: pickField(field), version: field.version }
  })

  serve(service, contract.updateExtraField, async ({ db, caller, params, body, origin, ifMatch, path }) => {
    const version = await changeExtraField(db, caller, { ...params, input: body, ifMatch }, origin)
    return { body: done('The extra field is updated.', path), version }
  })

  serve(service, contract.deleteExtraField, async ({ db, caller, params, origin, ifMatch, path }) => {
    await removeExtraField(db, caller, { ...params, ifMatch }, origin)
    return { body: done('The extra field is deleted.', path) }
  })
}
