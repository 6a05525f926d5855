/**
 * A form as operations of its own, at the addresses that the general operations on forms have for it. They state the
 * form's parameters and fields with types; the general operations serve them.
 */
import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'
import type { Operation } from '../../platform/operation.ts'
import * as general from '../forms.ts'
import type { Access, Form } from '../forms/form.ts'

type Given<F extends Form> = Static<F['submit']['body']>
type Listed<F extends Form> = F extends { lists: infer L } ? keyof L : never
/** A form that edits changes what it is given; every other form demands its required fields. */
type Demanded<F extends Form> = F extends { type: 'edit' }
  ? never
  : F extends { required: readonly (infer N)[] }
    ? N
    : never
type Value<F extends Form, K extends keyof Given<F>> = K extends Listed<F> ? string | null : Given<F>[K]
/** The body: an array is one text. */
export type FormBody<F extends Form> = {
  [K in keyof Given<F> & Demanded<F>]: NonNullable<Value<F, K>>
} & { [K in Exclude<keyof Given<F>, Demanded<F>>]?: Value<F, K> }

type Place<F extends Form, Without> = { [K in Exclude<keyof F['takes'] & string, Without>]: string } & {
  [K in F extends { idGives: object } ? 'id' : never]?: string
}
type Removed<F extends Form> = F extends { removes: infer R } ? R : never
type Scalar = string | number | boolean
type Values<F extends Form> = { [K in keyof F['fields'] & string]?: Scalar } & Record<string, Scalar>
type Made<F extends Form> = Values<F> & { [K in F['keys'][0] & string]: string }

interface Named<N extends string, M extends Operation['method']> extends Operation {
  name: N
  method: M
}
type Reading<N extends string, F extends Form> = Named<N, 'GET'> & {
  query: TUnsafe<{ initialValues: true } & Partial<Place<F, never>>>
  response: TUnsafe<Values<F>>
}
type Submitting<N extends string, F extends Form> = F['submit']['method'] extends 'POST'
  ? Named<N, 'POST'> & {
      query: TUnsafe<Place<F, Removed<F>>>
      body: TUnsafe<FormBody<F>>
      response: TUnsafe<Made<F>>
    }
  : Named<N, 'PATCH'> & {
      query: TUnsafe<Place<F, Removed<F>>>
      body: TUnsafe<FormBody<F>>
      response: typeof general.storeFromForm.response
    }
type Removing<N extends string, F extends Form> = Named<N, 'DELETE'> & {
  query: TUnsafe<Place<F, never>>
  response: typeof general.deleteFromForm.response
}

/** Names of operations are for ever: they are client methods and `operationId`s of v1. */
export interface FormNames {
  read: string
  submit: string
  remove?: string
}
export interface FormOperations<F extends Form = Form, N extends FormNames = FormNames> {
  form: F
  operations: readonly (
    | Reading<N['read'], F>
    | Submitting<N['submit'], F>
    | (N extends { remove: infer R extends string } ? Removing<R, F> : never)
  )[]
}

interface JsonObject {
  [keyword: string]: unknown
}
const readProperties = (schema: TSchema) =>
  ((schema as JsonObject)['properties'] ?? {}) as Record<string, JsonObject>
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const withoutNull = (types: unknown): unknown => {
  const left = [types].flat().filter((type) => type !== 'null')
  return left.length === 1 ? left[0] : left
}

/** The schema of a field that must have a value. */
function demand({ type, enum: values, ...schema }: JsonObject): JsonObject {
  return {
    ...schema,
    ...(type !== undefined && { type: withoutNull(type) }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  }
}

const listSigns = { ',': 'commas', '\n': 'line breaks', clients: 'commas' } as const

/** The fields of the body that the operation on the same resource takes, as this form writes them. */
function describeBody({ form, name }: Described): TSchema {
  const { lists = {}, required = [], submit, type } = form
  const demanded = type === 'edit' ? [] : required
  const properties = Object.entries(readProperties(submit.body)).map(([code, schema]) => {
    const sign = lists[code]
    const { title } = schema
    const written = sign
      ? { type: ['string', 'null'], title, description: `Several are separated by ${listSigns[sign]}.` }
      : schema
    return [code, demanded.includes(code) ? demand(written) : written]
  })
  return Type.Unsafe({
    $id: `${capital(name)}Fields`,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(demanded.length > 0 && { required: demanded }),
    additionalProperties: false,
  })
}

/** The values of the fields in an answer: a field without a value is omitted. */
function describeValues({ form, name }: Described, made: boolean): TSchema {
  const { fields, groups, keys, lists = {} } = form
  const codes = groups.flatMap((group) => [...group.fields]).filter((code) => !keys.includes(code))
  const properties = codes.map((code) => {
    const { type, format, title, 'x-field': meta } = fields[code] as JsonObject
    const isText =
      lists[code] !== undefined || [type].flat().some((one) => one === 'array' || one === 'object')
    const scalar = isText
      ? { type: 'string' }
      : { type: withoutNull(type ?? 'string'), ...(format !== undefined && { format }) }
    return [code, { ...scalar, title, ...(meta !== undefined && { 'x-field': meta }) }]
  })
  const [own] = keys
  return Type.Unsafe({
    $id: `${capital(name)}${made ? 'Result' : 'Values'}`,
    type: 'object',
    properties: {
      ...Object.fromEntries(keys.map((code) => [code, { type: 'string' }])),
      ...Object.fromEntries(properties),
    },
    ...(made && own !== undefined && { required: [own] }),
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  })
}

/** The parameters that identify the record; `first` are those of the operation itself. */
function describeQuery(
  form: Form,
  without: string | undefined,
  isOptional: boolean,
  first: JsonObject = {},
): TSchema {
  const takes = Object.entries(form.takes).filter(([name]) => name !== without)
  const properties = takes.map(([name, noun]) => [
    name,
    name === 'name'
      ? { type: 'string', maxLength: 100, description: `The name of the ${noun}.` }
      : { type: 'string', format: 'uuid', description: `The ${noun}.` },
  ])
  if (form.idGives) {
    const { field, noun } = form.idGives
    properties.push([
      'id',
      { type: 'string', format: 'uuid', description: `The ${noun}, in place of \`${field}\` in the body.` },
    ])
  }
  const required = [...Object.keys(first), ...(isOptional ? [] : takes.map(([name]) => name))]
  return Type.Unsafe({
    type: 'object',
    properties: { ...first, ...Object.fromEntries(properties) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  })
}

interface Described {
  form: Form
  name: string
}
const inWords = (name: string) => capital(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

function describe({ form, name }: Described, from: Operation, { access, roles, unrestricted }: Access) {
  const { entity, type } = form
  const { id: _id, params: _params, path: _path, example: _example, headers, ...rest } = from
  return {
    ...rest,
    id: name,
    name,
    path: `/system/forms/${entity}/${type}`,
    summary: inWords(name),
    description: `The form \`${entity}/${type}\`; \`GET /system/formdefinitions/${entity}/${type}\` explains its fields and lists their values. Also needs \`form.read\` or \`form.write\`.`,
    access,
    ...(roles && { roles }),
    ...(unrestricted && { unrestricted }),
    ...(headers && entity === 'debtor' && { headers }),
  }
}

/** Declares the operations of a form. `body` is an example of a real input. */
export function formOperations<const F extends Form, const N extends FormNames>(
  form: F,
  names: N,
  body: NoInfer<FormBody<F>>,
): FormOperations<F, N> {
  const read = { form, name: names.read }
  const submit = { form, name: names.submit }
  const initialValues = readProperties(general.getFormValues.query)['initialValues']
  const creates = form.submit.method === 'POST'
  const submitting = {
    ...describe(submit, creates ? general.createFromForm : general.storeFromForm, form.submit),
    query: describeQuery(form, form.removes, false),
    body: describeBody(submit),
    ...(creates && { response: describeValues(submit, true) }),
    example: { body },
  }
  const operations: Operation[] = [
    {
      ...describe(read, general.getFormValues, form.open),
      query: describeQuery(form, undefined, true, { initialValues }),
      response: describeValues(read, false),
      example: { query: { initialValues: true } },
    },
    submitting,
  ]
  if (names.remove !== undefined)
    operations.push({
      ...describe({ form, name: names.remove }, general.deleteFromForm, form.remove ?? form.submit),
      query: describeQuery(form, undefined, false),
    })
  return { form, operations: operations as unknown as FormOperations<F, N>['operations'] }
}
