/** Tests every form by its own definition: it accepts, stores and refuses what the definition says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv } from 'ajv'
import { fieldMeta } from '../../../contract/metadata/fields.ts'
import { formOperationList } from '../../../contract/metadata/form-operations.ts'
import type { Form } from '../../../contract/metadata/forms/form.ts'
import type { FormDefinition, FormField } from '../../../contract/metadata/forms.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { enumerations } from '../lookups/enumerations.ts'
import { makeRecords, makeSample, type Records, type Values } from '../../testing/records/samples.ts'

let api: TestApi
let records: Records
before(async () => {
  api = await startApi()
  records = await makeRecords(api)
})
after(() => api.close())

/** Values that the field must refuse by its definition. */
function wrongValues(field: FormField): unknown[] {
  const wrong: unknown[] = [['a', 'list'], { an: 'object' }]
  const isText = ['string', 'text', 'lookup', 'guid', 'date', 'datetime'].includes(field.type)
  wrong.push(isText ? 5 : 'text')
  if (field.type === 'integer') wrong.push(1.5)
  if (field.type === 'date') wrong.push('2026-02-30', 'soon')
  if (field.type === 'guid') wrong.push('not-a-guid', '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70')
  // A value longer than the body limit is refused before it reaches the form.
  if (field.length > 0 && field.length < 1_000_000) wrong.push('x'.repeat(field.length + 1))
  if (field.minValue !== '') wrong.push(Number(field.minValue) - 1)
  if (field.maxValue !== '') wrong.push(Number(field.maxValue) + 1)
  if (field.specificValues !== '') wrong.push(isText ? 'none of these' : 4711)
  if (field.mustMatchLookup && isText) wrong.push('zzzzz')
  return wrong
}

const readDefinition = async ({ entity, type }: Form) =>
  (await api.call<FormDefinition>('GET', `/system/formdefinitions/${entity}/${type}`)).body
const writable = (definition: FormDefinition) =>
  definition.groups.flatMap(({ fields }) => fields).filter(({ editCode }) => editCode !== '')

function sampleValues(definition: FormDefinition, form: Form): Values {
  const values: Values = {}
  for (const field of writable(definition)) {
    const sample = makeSample(field, form, records)
    if (sample !== undefined) values[field.code] = sample
  }
  return values
}

/** The parameters of a form: its parent, and the record itself if there is one. */
function recordQuery(form: Form, made: Values = {}): string {
  const parts = Object.entries(form.takes).map(([parameter, what]) => {
    const isRecord = form.record === parameter
    const parent = records.known[what === 'item' ? 'debtor' : what]!
    const own = parameter === 'name' ? made['name'] : made[form.keys[0]!]
    return `${parameter}=${encodeURIComponent(String(isRecord ? own : parent))}`
  })
  return parts.join('&')
}

const formPath = ({ entity, type }: Form) => `/system/forms/${entity}/${type}`
const allForms = () => api.app.forms.all.map(({ form }) => form)
/** The form that changes the created record; booked records cannot be changed. */
const findEditForm = ({ entity, keys }: Form) =>
  allForms().find((one) => one.entity === entity && one.type === 'edit' && one.keys[0] === keys[0])
const findCreateForm = ({ entity, keys }: Form) =>
  allForms().find((one) => one.entity === entity && one.submit.method === 'POST' && one.keys[0] === keys[0])
const without = (values: Values, code: string) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== code))

async function create(form: Form): Promise<{ sent: Values; made: Values }> {
  const sent = sampleValues(await readDefinition(form), form)
  const answer = await api.call<Values>('POST', `${formPath(form)}?${recordQuery(form)}`, { body: sent })
  assert.equal(answer.status, 201, `${form.entity}/${form.type} ${answer.text}`)
  return { sent, made: answer.body }
}

/** Compares sent with stored values; secrets are never returned. */
function assertKept(kept: Values, sent: Values, about: string): void {
  for (const [code, value] of Object.entries(sent)) {
    if (['password', 'mfaType', 'userCode', 'secret'].includes(code) || value === '') continue
    if (code in kept || typeof value !== 'boolean')
      assert.equal(kept[code], value, `${about}: ${code} of ${JSON.stringify(kept)}`)
  }
}

test('every entity has forms', () => {
  const all = allForms().map(({ entity, type }) => `${entity}/${type}`)
  for (const entity of [
    'debtor',
    'address',
    'extrafield',
    'client',
    'thirdparty',
    'account',
    'customer',
    'purchase',
    'object',
    'user',
    'accessgroup',
    'lookupvalue',
    'note',
    'field',
    'webhook',
    'schedule',
    'statutoryfee',
    'interestrate',
    'strategy',
    'trial',
  ]) {
    assert.ok(all.includes(`${entity}/create`) && all.includes(`${entity}/edit`), entity)
  }
  assert.ok(all.includes('systemsettings/edit'))
})

test('a form stores what was sent, and its record can be changed and deleted', async () => {
  for (const form of allForms().filter(({ submit }) => submit.method === 'POST')) {
    const about = form.entity
    const defaults = await api.call<Values>(
      'GET',
      `${formPath(form)}?initialValues=true&${recordQuery(form)}`,
    )
    assert.equal(defaults.status, 200, about)
    for (const { recalcCode } of (await readDefinition(form)).recalc) {
      const path = `${formPath(form)}/recalculate?recalc=${recalcCode}&${recordQuery(form)}`
      const checked = 'idNumber' in form.fields && { idNumber: '19900101-2385' }
      const body: Values = { ...sampleValues(await readDefinition(form), form), ...checked }
      const answer = await api.call<Values>('POST', path, { body })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(Object.entries(answer.body).every(([code, value]) => body[code] !== value))
    }
    const { sent, made } = await create(form)
    const edit = findEditForm(form)
    if (!edit) {
      assertKept(made, sent, `${about}/${form.type}`)
      continue
    }
    const place = recordQuery(edit, made)
    const read = await api.call<Values>('GET', `${formPath(edit)}?initialValues=true&${place}`)
    assert.equal(read.status, 200, about)
    assert.match(read.headers.get('etag') ?? '', /^"\d+"$/, about)
    const editable = writable(await readDefinition(edit)).map(({ code }) => code)
    const shown = new Set(
      (await readDefinition(edit)).groups.flatMap(({ fields }) => fields.map(({ code }) => code)),
    )
    assertKept(read.body, Object.fromEntries(Object.entries(sent).filter(([code]) => shown.has(code))), about)
    const same = Object.fromEntries(Object.entries(read.body).filter(([code]) => editable.includes(code)))
    const stored = await api.call('PATCH', `${formPath(edit)}?${place}`, {
      body: same,
      headers: { 'if-match': read.headers.get('etag')! },
    })
    assert.equal(stored.status, 200, `${about} ${stored.text}`)
    assert.equal(stored.headers.get('etag'), read.headers.get('etag'), `${about}: nothing changed`)
    const changed = sampleValues(await readDefinition(edit), edit)
    const again = await api.call('PATCH', `${formPath(edit)}?${place}`, { body: changed })
    assert.equal(again.status, 200, `${about} ${again.text}`)
    const moved = { ...made, ...changed }
    const later = await api.call<Values>(
      'GET',
      `${formPath(edit)}?initialValues=true&${recordQuery(edit, moved)}`,
    )
    assertKept(later.body, changed, `${about} changed`)
    if (!edit.remove) continue
    const removed = await api.call('DELETE', `${formPath(edit)}?${recordQuery(edit, moved)}`)
    assert.equal(removed.status, 200, `${about} ${removed.text}`)
    const gone = await api.call('GET', `${formPath(edit)}?initialValues=true&${recordQuery(edit, moved)}`)
    assert.equal(gone.status, 404, about)
  }
})

test('no form opens for a record that is not there', async () => {
  const nowhere = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1'
  const opened: string[] = []
  for (const form of allForms()) {
    const taken = Object.keys(form.takes)
    if (taken.length === 0) continue
    const query = taken.map((parameter) => `${parameter}=${nowhere}`).join('&')
    const { status } = await api.call('GET', `${formPath(form)}?initialValues=true&${query}`)
    if (status !== 404) opened.push(`${formPath(form)}?${query}: ${status}`)
  }
  assert.deepEqual(opened, [])
})

test('exactly the fields marked as required are required', async () => {
  for (const form of allForms().filter(({ submit }) => submit.method === 'POST')) {
    const fields = writable(await readDefinition(form))
    const values = sampleValues(await readDefinition(form), form)
    for (const field of fields.filter(({ required }) => required)) {
      const body = without(values, field.code)
      const answer = await api.call<{ errors: object }>('POST', `${formPath(form)}?${recordQuery(form)}`, {
        body,
      })
      assert.equal(answer.status, 400, `${form.entity} without ${field.code}: ${answer.text}`)
      assert.deepEqual(Object.keys(answer.body.errors), [field.code], form.entity)
    }
    const needed = fields.filter(({ required }) => required).map(({ code }) => code)
    const also =
      {
        debtor: ['lastname'],
        user: ['password'],
        lookupvalue: ['textEn'],
        field: ['type', 'textEn'],
        payment: ['caseGuid'],
        fee: ['amount'],
        paymentplan: ['numberOfPayments', 'active'],
      }[form.entity] ?? []
    const body = Object.fromEntries(
      Object.entries(sampleValues(await readDefinition(form), form)).filter(
        ([code]) => needed.includes(code) || also.includes(code),
      ),
    )
    const answer = await api.call('POST', `${formPath(form)}?${recordQuery(form)}`, { body })
    assert.equal(answer.status, 201, `${form.entity} ${answer.text}`)
  }
})

test('each field refuses what its definition excludes', async () => {
  let refused = 0
  for (const form of allForms()) {
    const isNew = form.submit.method === 'POST'
    const creating = findCreateForm(form)
    const made = isNew || !creating ? {} : (await create(creating)).made
    const definition = await readDefinition(form)
    for (const field of writable(definition)) {
      const values = isNew ? sampleValues(definition, form) : {}
      for (const wrong of wrongValues(field)) {
        const body = { ...values, [field.code]: wrong }
        const path = `${formPath(form)}?${recordQuery(form, made)}`
        const answer = await api.call<Refusal>(form.submit.method === 'POST' ? 'POST' : 'PATCH', path, {
          body,
        })
        const about = `${form.entity}/${form.type} ${field.code} = ${JSON.stringify(wrong).slice(0, 60)}: ${answer.text.slice(0, 300)}`
        const isOther = field.type === 'guid' && answer.status === 404
        assert.ok(answer.status === 400 || isOther, about)
        assert.ok(Object.keys(answer.body.errors ?? {}).includes(field.code), about)
        assert.equal(answer.body.labels?.[field.code], field.longLabel, about)
        refused += 1
      }
    }
    const stray = await api.call<Refusal>(
      isNew ? 'POST' : 'PATCH',
      `${formPath(form)}?${recordQuery(form, made)}`,
      {
        body: { nosuchfield: 1 },
      },
    )
    assert.equal(stray.status, 400)
    assert.match(stray.body.errors['nosuchfield']![0]!, /is not known here/)
  }
  assert.ok(refused > 500, `${refused} values were refused`)
})

/** A submission that the form's own schemas describe: query and body as sent, and the values that came back. */
function findTyped(form: Form) {
  const place = `/system/forms/${form.entity}/${form.type}`
  const typed = formOperationList.find(({ path, method }) => path === place && method === form.submit.method)
  assert.ok(typed, `${place} has an operation of its own`)
  return typed
}

test('the operation of a form takes what the form takes, demands what it demands, and describes the answer', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } })
  let demanded = 0
  for (const form of allForms().filter(({ type }) => type !== 'edit')) {
    const isNew = form.submit.method === 'POST'
    const { body: schema, response } = findTyped(form)
    const takes = ajv.compile({ ...schema, $id: undefined })
    const creating = findCreateForm(form)
    const known = { [form.keys[0] ?? '']: records.known[form.entity] ?? '' }
    const record = isNew ? {} : creating ? (await create(creating)).made : known
    const place = `${formPath(form)}?${recordQuery(form, record)}`
    const own = ([code]: [string, unknown]) => code in form.fields
    const values = Object.fromEntries(
      Object.entries(sampleValues(await readDefinition(form), form)).filter(own),
    )
    assert.ok(takes(values), `${formPath(form)} ${ajv.errorsText(takes.errors)}`)
    for (const code of (schema as { required?: string[] }).required ?? []) {
      const body = without(values, code)
      assert.ok(!takes(body), code)
      const answer = await api.call<Refusal>(isNew ? 'POST' : 'PATCH', place, { body })
      assert.equal(answer.status, 400, `${formPath(form)} without ${code}: ${answer.text}`)
      assert.ok(answer.body.errors[code], answer.text)
      demanded += 1
    }
    if (!isNew) continue
    const { made } = await create(form)
    const gives = ajv.compile({ ...response, $id: undefined })
    assert.ok(gives(made), `${formPath(form)} ${ajv.errorsText(gives.errors)}`)
  }
  assert.ok(demanded > 40, `${demanded} fields are demanded`)
})

test('a misspelt field is refused with the nearest name', async () => {
  const answer = await api.call<Refusal>('POST', '/system/forms/case/register', { body: { principel: 100 } })
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body.errors['principel'], ['is not known here. Did you mean principal?'])
})

test('the examples of the operations of forms have codes that their lookups have', () => {
  let checked = 0
  for (const { name, body, example } of formOperationList) {
    const fields = ((body as { properties?: object } | undefined)?.properties ?? {}) as Record<string, object>
    for (const [code, value] of Object.entries((example?.body ?? {}) as Values)) {
      const { lookup } = fieldMeta(fields[code])
      const codes: readonly string[] | undefined = enumerations[lookup as keyof typeof enumerations]
      if (!codes) continue
      assert.ok(codes.includes(String(value)), `${name}: ${code} ${value}`)
      checked += 1
    }
  }
  assert.ok(checked > 12, `${checked} codes`)
})

interface Refusal {
  errors: Record<string, string[]>
  labels?: Record<string, string>
}
