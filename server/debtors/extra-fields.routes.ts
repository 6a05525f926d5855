import * as contract from '../../contract/extra-fields.ts'
import { cleanText } from '../../core/person-name.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { changesBetween, changesOfNew } from '../events/record.ts'
import { ApiError, done, invalid, notFound } from '../http/errors.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { requireMatch } from '../http/version.ts'
import { lockDebtor, requireDebtor } from './debtor-lock.ts'
import * as store from './extra-fields.store.ts'

export function serveExtraFields(service: Service): void {
  const { clock, totals } = service

  serve(service, contract.listExtraFields, async ({ db, caller, params, query }) => {
    await requireDebtor(db, caller, params.debtorGuid)
    return {
      body: await store.listExtraFields(db, params.debtorGuid, query, { totals, today: clock.today() }),
    }
  })

  serve(service, contract.createExtraField, async ({ db, caller, params, body, origin }) => {
    const { debtorGuid } = params
    const field = { name: nameOf(body.name ?? ''), value: body.value ?? [] }
    await inTransaction(db, async (tx) => {
      const note = await lockDebtor(tx, caller, debtorGuid, origin)
      await requireFree(tx, debtorGuid, field.name, null)
      const guid = await store.insertExtraField(tx, debtorGuid, field)
      await note([
        {
          type: 'extrafield.created',
          entityId: guid,
          data: { name: field.name },
          changes: changesOfNew(field),
        },
      ])
    })
    return {
      body: field,
      version: 1,
      location: `/debtors/${debtorGuid}/extrafields/${encodeURIComponent(field.name)}`,
    }
  })

  serve(service, contract.getExtraField, async ({ db, caller, params }) => {
    await requireDebtor(db, caller, params.debtorGuid)
    const field = await requireField(db, params)
    return { body: fieldOf(field), version: field.version }
  })

  serve(service, contract.updateExtraField, async ({ db, caller, params, body, origin, ifMatch, path }) => {
    const version = await inTransaction(db, async (tx) => {
      const note = await lockDebtor(tx, caller, params.debtorGuid, origin)
      const before = await requireField(tx, params)
      requireMatch(ifMatch, before.version)
      const after = {
        name: typeof body.name === 'string' ? nameOf(body.name) : before.name,
        value: body.value ?? before.value,
      }
      const changes = changesBetween(fieldOf(before), after)
      if (Object.keys(changes).length === 0) return before.version
      await requireFree(tx, params.debtorGuid, after.name, before.extraFieldGuid)
      await store.updateExtraField(tx, before.extraFieldGuid, after)
      await note([
        {
          type: 'extrafield.updated',
          entityId: before.extraFieldGuid,
          data: { name: after.name, changed: Object.keys(changes) },
          changes,
        },
      ])
      return before.version + 1
    })
    return { body: done('The extra field is updated.', path), version }
  })

  serve(service, contract.deleteExtraField, async ({ db, caller, params, origin, ifMatch, path }) => {
    await inTransaction(db, async (tx) => {
      const note = await lockDebtor(tx, caller, params.debtorGuid, origin)
      const before = await requireField(tx, params)
      requireMatch(ifMatch, before.version)
      await store.deleteExtraField(tx, before.extraFieldGuid)
      const changes = changesBetween(fieldOf(before), { name: null, value: null })
      await note([
        { type: 'extrafield.deleted', entityId: before.extraFieldGuid, data: { name: before.name }, changes },
      ])
    })
    return { body: done('The extra field is deleted.', path) }
  })
}

const fieldOf = ({ name, value }: contract.ExtraField) => ({ name, value })

function nameOf(text: string): string {
  const name = cleanText(text)
  if (name === '') throw invalid({ name: ['is required: 1 to 100 characters.'] })
  return name
}

async function requireField(db: Db, { debtorGuid, name }: { debtorGuid: string; name: string }) {
  const field = await store.findExtraField(db, debtorGuid, name)
  if (!field) throw notFound('extra field')
  return field
}

/** Names are unique per debtor without regard to case. */
async function requireFree(tx: Db, debtorGuid: string, name: string, except: string | null): Promise<void> {
  const other = await store.findExtraField(tx, debtorGuid, name)
  if (!other || other.extraFieldGuid === except) return
  throw new ApiError(
    'conflict',
    `The debtor has an extra field '${other.name}' already. Change that one, or choose another name.`,
    {
      errors: { name: ['is the name of another extra field.'] },
    },
  )
}
