import * as contract from '../../../contract/metadata/forms.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { done, invalid } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import type { IfMatch } from '../../platform/http/version.ts'
import { findColumnSizes } from './column-sizes.ts'
import {
  findCustomValues,
  updateCustomValues,
  type CustomFieldRow,
  type CustomValue,
  type CustomValues,
} from '../../platform/dictionary/custom-fields.store.ts'
import { defineForm, type DefinitionContext } from './define-form.ts'
import {
  withFieldLabels,
  FormEngine,
  namesRecord,
  methodNotAllowed,
  readParameters,
  type HasLookupValue,
  type OpenForm,
  type RecordParameters,
  withGivenId,
} from './form-engine.ts'
import { toFormValues } from './form-values.ts'
import type { CreatedRecord, FormCall } from '../../platform/dictionary/handler.ts'
import type { FormRegistry } from './registry.ts'

export interface FormLookups {
  has: HasLookupValue
  isClosed: DefinitionContext['lookups']['isClosed']
  isShort: DefinitionContext['lookups']['isShort']
}

/** Serves S1 to S5 and S9 for every registered form. */
export function serveForms(service: ServerContext, registry: FormRegistry, lookups: FormLookups): void {
  const engine = new FormEngine(registry, service.customFields)
  serveReading(service, engine, lookups)
  serveWriting(service, engine, lookups)
}

function serveReading(service: ServerContext, engine: FormEngine, lookups: FormLookups): void {
  serve(service, contract.getFormValues, async (served) => {
    const { caller, params, query, db } = served
    const opened = await engine.open(caller, params, (form) => form.open)
    const place = readParameters(opened.form, query, true)
    const call = createCall(served, place, undefined)
    if (!namesRecord(opened.form, place)) return { body: await findDefaults(opened, call) }
    if (!opened.handler.find) throw methodNotAllowed(opened.form, 'read')
    const { record, version } = await opened.handler.find(call)
    const custom = await loadCustomValues(db, opened, place)
    const body = toFormValues(opened.form, { ...record, ...custom }, [...opened.resolved.fields.keys()])
    return version === undefined ? { body } : { body, version }
  })

  serve(service, contract.recalculateForm, async (served) => {
    const { caller, params, query, body } = served
    const opened = await engine.open(caller, params, (form) => form.open)
    const { form, handler } = opened
    const codes = (form.recalculations ?? []).map(({ code }) => code)
    if (!codes.includes(query.recalc)) {
      const right =
        codes.length === 0
          ? 'does not exist: this form has no recalculations.'
          : `must be one of ${codes.join(', ')}.`
      throw invalid({ recalc: [right] })
    }
    const place = readParameters(form, query, true)
    return withFieldLabels(opened, caller, async () => {
      const checked = opened.check(withGivenId(form, place, body), 'recalculate', caller.language).body
      const outcome = await handler.recalculate!(query.recalc, createCall(served, place, checked))
      const values = toFormValues(form, outcome, [...opened.resolved.fields.keys()])
      return {
        body: Object.fromEntries(Object.entries(values).filter(([code, value]) => body[code] !== value)),
      }
    })
  })

  serve(service, contract.getFormDefinition, async ({ db, caller, params }) => {
    const named = { entity: params.objectname, type: params.formcode }
    const { form, handler, resolved } = await engine.open(caller, named, (one) => one.open)
    const { storedIn } = handler
    const sizes = storedIn ? await findColumnSizes(db, storedIn.table) : new Map<string, number>()
    return { body: defineForm(resolved, { form, storedIn, sizes, lookups, language: caller.language }) }
  })
}

function serveWriting(service: ServerContext, engine: FormEngine, lookups: FormLookups): void {
  serve(service, contract.createFromForm, async (served) => {
    const { caller, params, query, body, db } = served
    const opened = await engine.open(caller, params, (form) => form.submit)
    const { form, handler } = opened
    if (!handler.create) throw methodNotAllowed(form, 'create')
    const place = readParameters(form, query, false)
    return withFieldLabels(opened, caller, async () => {
      const input = opened.check(withGivenId(form, place, body), 'create', caller.language)
      await requireLookupValues(db, caller, opened, input.custom, lookups)
      const create = async (on: Db) => handler.create!(createCall({ ...served, db: on }, place, input.body))
      const hasOwn = Object.keys(input.custom).length > 0
      const made = hasOwn
        ? await inTransaction(db, async (tx) => {
            const created = await create(tx)
            const version = await storeCustomValues(
              tx,
              opened,
              newRecordParameters(opened, place, created),
              input.custom,
              served.origin,
            )
            return version === undefined ? created : { ...created, version }
          })
        : await create(db)
      return answerCreated(opened, made, input.custom as CustomValues)
    })
  })

  serve(service, contract.storeFromForm, async (served) => {
    const { caller, params, query, body, db, path } = served
    const opened = await engine.open(caller, params, (form) => form.submit)
    const { form, handler } = opened
    if (!handler.store) throw methodNotAllowed(form, 'change')
    const place = readParameters(form, query, false)
    return withFieldLabels(opened, caller, async () => {
      const input = opened.check(body, 'store', caller.language)
      await requireLookupValues(db, caller, opened, input.custom, lookups)
      const store = async (on: Db) => handler.store!(createCall({ ...served, db: on }, place, input.body))
      const hasOwn = Object.keys(input.custom).length > 0
      const version = hasOwn
        ? await inTransaction(db, async (tx) => {
            const stored = await store(tx)
            return (await storeCustomValues(tx, opened, place, input.custom, served.origin)) ?? stored
          })
        : await store(db)
      const told = done(`The ${recordNoun(opened)} is updated.`, path)
      return version === undefined ? { body: told } : { body: told, version }
    })
  })

  serve(service, contract.deleteFromForm, async (served) => {
    const { caller, params, query, path } = served
    const opened = await engine.open(caller, params, (form) => form.remove ?? form.submit)
    if (!opened.handler.remove) throw methodNotAllowed(opened.form, 'delete')
    const { removes: _, ...form } = opened.form
    const place = readParameters(form, query, false)
    await opened.handler.remove(createCall(served, place, undefined))
    return { body: done(`The ${recordNoun(opened)} is deleted.`, path) }
  })
}

interface ServedForm {
  db: Db
  caller: Caller
  origin: Origin
  ifMatch: IfMatch
  headers: Record<string, unknown>
}

const createCall = <B>(
  { db, caller, origin, ifMatch, headers }: ServedForm,
  place: RecordParameters,
  body: B,
): FormCall<B> => ({
  db,
  caller,
  origin,
  ifMatch,
  headers,
  ...place,
  body,
})

const recordNoun = ({ form: { noun, record, takes, entity } }: OpenForm) =>
  noun ?? ((record !== undefined && record !== 'only' && takes[record]) || entity)

async function findDefaults({ form, handler, resolved }: OpenForm, call: FormCall) {
  const given = withGivenId(form, call, {})
  const record: Record<string, unknown> = { ...(await handler.defaults?.(call)), ...given }
  for (const [code, { defaultValue }] of resolved.fields)
    if (defaultValue !== null) record[code] = defaultValue
  return toFormValues(form, record, [...resolved.fields.keys()])
}

function answerCreated({ form, resolved }: OpenForm, made: CreatedRecord, custom: CustomValues) {
  const { record, version, location, secrets } = made
  const body = toFormValues(form, { ...record, ...custom }, [...resolved.fields.keys()])
  const own = `/system/forms/${form.entity}/edit?initialValues=true&id=${String(body[form.keys[0]!])}`
  return {
    body,
    location: location ?? own,
    ...(version !== undefined && { version }),
    ...(secrets && { secrets }),
  }
}

const newRecordParameters = (
  { form }: OpenForm,
  place: RecordParameters,
  { record }: CreatedRecord,
): RecordParameters => {
  const guid = String((record as Record<string, unknown>)[form.keys[0]!])
  return place.id === '' ? { ...place, id: guid } : { ...place, subId: guid }
}

const customFieldRow = ({ form, handler }: OpenForm, place: RecordParameters): CustomFieldRow => {
  const guid = place.subId === '' ? place.id : place.subId
  const storedIn = handler.storedIn!
  const [key = ''] = form.keys
  const guidName = key.endsWith('Guid') ? key : `${form.entity}Guid`
  // Without an entity `handle` uses no table.
  const entity = form.entity as CustomFieldRow['entity']
  return { entity, guidName, storedIn, guid, subjectGuid: storedIn.subject ? place.id : guid }
}

async function loadCustomValues(db: Db, opened: OpenForm, place: RecordParameters): Promise<CustomValues> {
  const hasOwn = [...opened.resolved.fields.values()].some(({ custom }) => custom)
  return hasOwn ? findCustomValues(db, customFieldRow(opened, place)) : {}
}

const storeCustomValues = (
  tx: Db,
  opened: OpenForm,
  place: RecordParameters,
  values: Readonly<Record<string, CustomValue | null>>,
  origin: Origin,
) =>
  updateCustomValues(tx, customFieldRow(opened, place), values, {
    origin,
    secret: new Set(
      [...opened.resolved.fields].filter(([, { custom }]) => custom?.audit === false).map(([code]) => code),
    ),
  })

/** Throws a 400 for a custom value that is not in its lookup. */
async function requireLookupValues(
  db: Db,
  caller: Caller,
  { resolved }: OpenForm,
  values: Record<string, unknown>,
  lookups: FormLookups,
): Promise<void> {
  for (const [code, value] of Object.entries(values)) {
    const custom = resolved.fields.get(code)?.custom
    if (value === null || !custom?.mustMatchLookup || custom.lookupCode === null) continue
    if (!(await lookups.has(db, caller, custom.lookupCode, String(value))))
      throw invalid({ [code]: [`must be a key of the lookup ${custom.lookupCode}.`] })
  }
}
