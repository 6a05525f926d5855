/** Changing a debtor's extra fields: the one way, for the API and whatever else changes them. */
import type { ExtraField, ExtraFieldInput } from '../../../contract/parties/extra-fields.ts'
import type { EventAction } from '../../../contract/platform/event-types.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { changesBetween, initialChanges, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, invalid, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { lockDebtor, type DebtorChangeNote, type VisibleDebtor } from './debtor-lock.ts'
import * as store from './extra-fields.store.ts'

export interface ExtraFieldPath {
  debtorGuid: string
  /** In any case of letters. */
  name: string
}

/** Adds an extra field. Throws a 400 without a name, a 404 for the debtor, a 409 for a name taken. */
export async function addExtraField(
  db: Db,
  caller: Caller,
  { debtorGuid, input }: { debtorGuid: string; input: ExtraFieldInput },
  origin: Origin,
): Promise<ExtraField> {
  const field = { name: readName(input.name ?? ''), value: input.value ?? [] }
  await inTransaction(db, async (tx) => {
    const { debtor, note } = await lockDebtor(tx, caller, debtorGuid, origin)
    await requireFree(tx, debtor, field.name, null)
    const guid = await store.insertExtraField(tx, debtorGuid, field)
    await note([makeNote('created', guid, field.name, initialChanges(field))])
  })
  return field
}

/** Changes an extra field; returns its version. Throws a 400, 404, 409 or 412. */
export async function changeExtraField(
  db: Db,
  caller: Caller,
  { debtorGuid, name, input, ifMatch }: ExtraFieldPath & { input: ExtraFieldInput; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { debtor, note } = await lockDebtor(tx, caller, debtorGuid, origin)
    const before = await requireExtraField(tx, debtor, name)
    requireMatch(ifMatch, before.version)
    const after = {
      name: typeof input.name === 'string' ? readName(input.name) : before.name,
      value: input.value ?? before.value,
    }
    const changes = changesBetween(pickField(before), after)
    if (Object.keys(changes).length === 0) return before.version
    await requireFree(tx, debtor, after.name, before.extraFieldGuid)
    await store.updateExtraField(tx, before.extraFieldGuid, after)
    await note([makeNote('updated', before.extraFieldGuid, after.name, changes)])
    return before.version + 1
  })
}

/** Removes an extra field. Throws a 404 or 412. */
export async function removeExtraField(
  db: Db,
  caller: Caller,
  { debtorGuid, name, ifMatch }: ExtraFieldPath & { ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { debtor, note } = await lockDebtor(tx, caller, debtorGuid, origin)
    const before = await requireExtraField(tx, debtor, name)
    requireMatch(ifMatch, before.version)
    await store.deleteExtraField(tx, before.extraFieldGuid)
    const changes = changesBetween(pickField(before), { name: null, value: null })
    await note([makeNote('deleted', before.extraFieldGuid, before.name, changes)])
  })
}

/** Throws a 404 when the debtor has no such field. */
export async function requireExtraField(
  db: Db,
  debtor: VisibleDebtor,
  name: string,
): Promise<store.StoredExtraField> {
  const field = await store.findExtraField(db, debtor, name)
  if (!field) throw notFound('extra field')
  return field
}

export const pickField = ({ name, value }: ExtraField): ExtraField => ({ name, value })

function readName(text: string): string {
  const name = cleanText(text)
  if (name === '') throw invalid({ name: ['is required: 1 to 100 characters.'] })
  // Programs take these for steps in a path, also when they are escaped: such a field could not be addressed.
  if (name === '.' || name === '..') throw invalid({ name: ['must be more than dots.'] })
  return name
}

const makeNote = (
  action: EventAction<'extrafield'>,
  entityId: string,
  name: string,
  changes: Change['changes'],
): DebtorChangeNote => ({
  type: `extrafield.${action}`,
  entityId,
  data: { name, ...(action === 'updated' && { changed: Object.keys(changes) }) },
  changes,
})

/** Names are unique per debtor without regard to case. */
async function requireFree(
  tx: Db,
  debtor: VisibleDebtor,
  name: string,
  except: string | null,
): Promise<void> {
  const other = await store.findExtraField(tx, debtor, name)
  if (!other || other.extraFieldGuid === except) return
  throw new ApiError(
    'conflict',
    `The debtor has an extra field '${other.name}' already. Change that one, or choose another name.`,
    { errors: { name: ['is the name of another extra field.'] } },
  )
}
