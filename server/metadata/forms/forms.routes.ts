import * as contract from '../../../contract/metadata/forms.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { done, invalid } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { Service } from '../../access/serve/service.ts'
import type { IfMatch } from '../../platform/http/version.ts'
import { findColumnSizes } from './column-sizes.ts'
import {
  findCustomValues,
  updateCustomValues,
  type CustomPlace,
  type CustomValue,
  type CustomValues,
} from '../../platform/dictionary/custom-fields.store.ts'
import { defineForm, type DefinitionContext } from './define-form.ts'
import {
  atForm,
  FormEngine,
  namesRecord,
  notDone,
  placeOf,
  type HasLookupValue,
  type OpenForm,
  type Place,
} from './form-engine.ts'
import { valuesOf } from './form-values.ts'
import type { CreatedRecord, FormCall } from '../../platform/dictionary/handler.ts'
import type { FormRegistry } from './registry.ts'

export interface FormLookups {
  has: HasLookupValue
  isClosed: DefinitionContext['lookups']['isClosed']
  isShort: DefinitionContext['lookups']['isShort']
}

/** Serves S1 to S5 and S9 for every form of the registry. */
export function serveForms(service: Service, registry: FormRegistry, lookups: FormLookups): void {
  const engine = new FormEngine(registry, service.customFields)
  serveReading(service, engine, lookups)
  serveWriting(service, engine, lookups)
}

function serveReading(service: Service, engine: FormEngine, lookups: FormLookups): void {
  serve(service, contract.getFormValues, async (served) => {
    const { caller, params, query, db } = served
    const opened = await engine.open(caller, params, (form) => form.open)
    const place = placeOf(opened.form, query, true)
    const call = callOf(served, place, undefined)
    if (!namesRecord(opened.form, place)) return { body: await defaultsOf(opened, call) }
    if (!opened.handler.find) throw notDone(opened.form, 'read')
    const { record, version } = await opened.handler.find(call)
    const custom = await ownValuesOf(db, opened, place)
    const body = valuesOf(opened.form, { ...record, ...custom }, [...opened.resolved.fields.keys()])
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
          ? 'is none of this form: it has no recalculations.'
          : `must be one of ${codes.join(', ')}.`
      throw invalid({ recalc: [right] })
    }
    const place = placeOf(form, query, true)
    return atForm(opened, caller, async () => {
      const checked = opened.check(body, 'recalculate').body
      const outcome = await handler.recalculate!(query.recalc, callOf(served, place, checked))
      const values = valuesOf(form, outcome, [...opened.resolved.fields.keys()])
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

function serveWriting(service: Service, engine: FormEngine, lookups: FormLookups): void {
  serve(service, contract.createFromForm, async (served) => {
    const { caller, params, query, body, db } = served
    const opened = await engine.open(caller, params, (form) => form.submit)
    const { form, handler } = opened
    if (!handler.create) throw notDone(form, 'create')
    const place = placeOf(form, query, false)
    return atForm(opened, caller, async () => {
      const input = opened.check(body, 'create')
      await requireLookupValues(db, caller, opened, input.custom, lookups)
      const create = async (on: Db) => handler.create!(callOf({ ...served, db: on }, place, input.body))
      const hasOwn = Object.keys(input.custom).length > 0
      const made = hasOwn
        ? await inTransaction(db, async (tx) => {
            const created = await create(tx)
            const version = await storeOwn(
              tx,
              opened,
              placeOfNew(opened, place, created),
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
    if (!handler.store) throw notDone(form, 'change')
    const place = placeOf(form, query, false)
    return atForm(opened, caller, async () => {
      const input = opened.check(body, 'store')
      await requireLookupValues(db, caller, opened, input.custom, lookups)
      const store = async (on: Db) => handler.store!(callOf({ ...served, db: on }, place, input.body))
      const hasOwn = Object.keys(input.custom).length > 0
      const version = hasOwn
        ? await inTransaction(db, async (tx) => {
            const stored = await store(tx)
            return (await storeOwn(tx, opened, place, input.custom, served.origin)) ?? stored
          })
        : await store(db)
      const told = done(`The ${nounOf(opened)} is updated.`, path)
      return version === undefined ? { body: told } : { body: told, version }
    })
  })

  serve(service, contract.deleteFromForm, async (served) => {
    const { caller, params, query, path } = served
    const opened = await engine.open(caller, params, (form) => form.remove ?? form.submit)
    if (!opened.handler.remove) throw notDone(opened.form, 'delete')
    const { removes: _, ...form } = opened.form
    const place = placeOf(form, query, false)
    await opened.handler.remove(callOf(served, place, undefined))
    return { body: done(`The ${nounOf(opened)} is deleted.`, path) }
  })
}

interface ServedForm {
  db: Db
  caller: Caller
  origin: Origin
  ifMatch: IfMatch
  headers: Record<string, unknown>
}

const callOf = <B>(
  { db, caller, origin, ifMatch, headers }: ServedForm,
  place: Place,
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

const nounOf = ({ form: { noun, record, takes, entity } }: OpenForm) =>
  noun ?? ((record !== undefined && record !== 'only' && takes[record]) || entity)

async function defaultsOf({ form, handler, resolved }: OpenForm, call: FormCall) {
  const record: Record<string, unknown> = { ...(await handler.defaults?.(call)) }
  for (const [code, { defaultValue }] of resolved.fields)
    if (defaultValue !== null) record[code] = defaultValue
  return valuesOf(form, record, [...resolved.fields.keys()])
}

function answerCreated({ form, resolved }: OpenForm, made: CreatedRecord, custom: CustomValues) {
  const { record, version, location, secrets } = made
  const body = valuesOf(form, { ...record, ...custom }, [...resolved.fields.keys()])
  const own = `/system/forms/${form.entity}/edit?initialValues=true&id=${String(body[form.keys[0]!])}`
  return {
    body,
    location: location ?? own,
    ...(version !== undefined && { version }),
    ...(secrets && { secrets }),
  }
}

const placeOfNew = ({ form }: OpenForm, place: Place, { record }: CreatedRecord): Place => {
  const guid = String((record as Record<string, unknown>)[form.keys[0]!])
  return place.id === '' ? { ...place, id: guid } : { ...place, subId: guid }
}

const customPlaceOf = ({ form, handler }: OpenForm, place: Place): CustomPlace => {
  const guid = place.subId === '' ? place.id : place.subId
  const storedIn = handler.storedIn!
  const [key = ''] = form.keys
  const guidName = key.endsWith('Guid') ? key : `${form.entity}Guid`
  // Of others `handle` takes no table.
  const entity = form.entity as CustomPlace['entity']
  return { entity, guidName, storedIn, guid, subjectGuid: storedIn.subject ? place.id : guid }
}

async function ownValuesOf(db: Db, opened: OpenForm, place: Place): Promise<CustomValues> {
  const hasOwn = [...opened.resolved.fields.values()].some(({ custom }) => custom)
  return hasOwn ? findCustomValues(db, customPlaceOf(opened, place)) : {}
}

const storeOwn = (
  tx: Db,
  opened: OpenForm,
  place: Place,
  values: Readonly<Record<string, CustomValue | null>>,
  origin: Origin,
) =>
  updateCustomValues(tx, customPlaceOf(opened, place), values, {
    origin,
    secret: new Set(
      [...opened.resolved.fields].filter(([, { custom }]) => custom?.audit === false).map(([code]) => code),
    ),
  })

/** Throws a 400 for a value of an own field that its lookup must have but has not. */
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
