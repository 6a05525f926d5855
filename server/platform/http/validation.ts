/**
 * Checks parameters, queries and bodies against the contract's schemas. The validator never converts or removes values.
 * A JSON body has types already; of a query only whole numbers and booleans are converted before the check.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isDateTime } from '../../../core/calendar/date-time.ts'
import { guidPattern } from '../../../core/text/guid.ts'
import { closeNames } from '../odata/properties.ts'
import { invalid, type MemberErrors } from './errors.ts'

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  verbose: true,
  allowUnionTypes: true,
  keywords: ['x-field', 'x-demands', 'x-extensible-enum'],
  formats: {
    uuid: guidPattern,
    // The empty string clears a date-time in a partial update.
    'date-time': (text: string) => text === '' || isDateTime(text),
  },
})

export type Check = (value: unknown) => void

/** Returns a function that throws a 400 naming every wrong member. Its first use compiles it, which takes milliseconds. */
export function compileCheck(schema: TSchema, prefix = ''): Check {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= compile(schema)
    if (validate(value)) return
    throw invalid(toMemberErrors(validate.errors ?? [], prefix))
  }
}

/** Schemas of the contract are constants: nodes in one process share what was compiled. */
const compiled = new WeakMap<TSchema, ValidateFunction>()

function compile(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const bare = withoutIds(schema)
  const validate = ajv.compile(bare)
  // Ajv keeps compiled schemas for ever, and some schemas are created at run time.
  ajv.removeSchema(bare)
  compiled.set(schema, validate)
  return validate
}

/** One for all, since its first use compiles the schema of schemas, which takes about 20 ms of the processor. */
let foreign: Ajv | undefined

function compileForeign(schema: object): ValidateFunction {
  foreign ??= addFormats.default(
    new Ajv({ allErrors: true, strict: false, verbose: true, validateFormats: true }),
  )
  try {
    const validate = foreign.compile(schema)
    foreign.removeSchema(schema)
    return validate
  } catch (error) {
    // It keeps a wrong schema and its `$id`.
    foreign = undefined
    throw error
  }
}

/**
 * For a foreign schema, such as a custom service's: any keyword and format of JSON Schema. Throws for an invalid
 * schema. Two schemas may have one `$id`.
 */
export function compileForeignCheck(schema: object): Check {
  const validate = compileForeign(schema)
  return (value) => {
    if (!validate(value)) throw invalid(toMemberErrors(validate.errors ?? [], ''))
  }
}

/**
 * Throws a 400 for a query that is not percent-encoded UTF-8. Otherwise a filter in another encoding, such as
 * `'Malm%F6'`, would silently match nothing.
 */
export function checkQueryEncoding(url: string): void {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('%', start)) return
  const wrong = url
    .slice(start + 1)
    .split('&')
    .find((part) => !isEncoded(part))
  if (wrong === undefined) return
  const [name] = wrong.split('=', 1)
  throw invalid({
    [(isEncoded(name!) ? decodeURIComponent(name!) : name!).slice(0, 100)]: [
      'has a malformed percent-encoding. Encode it as UTF-8, and a percent sign itself as %25.',
    ],
  })
}

/** Throws a 400 for a text with NUL, which the database cannot store. A schema's pattern may allow it. */
export function refuseNul(query: Record<string, unknown>): void {
  for (const name in query) {
    const value = query[name]
    if (typeof value === 'string' && value.includes('\0'))
      throw invalid({ [name]: ['has a NUL character. Remove it.'] })
  }
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Converts whole numbers and booleans of a query and adds defaults; all else stays text for the check. */
export function readQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties =
    (schema as { properties?: Record<string, { type?: string; default?: unknown }> }).properties ?? {}
  const read: Record<string, unknown> = { ...query }
  for (const name in properties) {
    const { type, default: defaultValue } = properties[name]!
    const given = read[name]
    if (Array.isArray(given) && type !== 'array') {
      throw invalid({ [name]: ['is given more than once. Give it once.'] })
    }
    if (given === undefined) {
      if (defaultValue !== undefined) read[name] = defaultValue
    } else if (type === 'integer' && typeof given === 'string' && /^[0-9]{1,15}$/.test(given)) {
      read[name] = Number(given)
    } else if (type === 'boolean' && (given === 'true' || given === 'false')) {
      read[name] = given === 'true'
    }
  }
  return read
}

/** Ajv registers schemas by `$id`, and several operations share a schema. */
function withoutIds(schema: TSchema): object {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === '$id' ? undefined : value)),
  ) as object
}

const errorsMax = 20

function toMemberErrors(errors: ErrorObject[], prefix: string): MemberErrors {
  // Without a prototype: a member may be called `constructor` or `__proto__`.
  const found = Object.create(null) as MemberErrors
  for (const error of errors.slice(0, errorsMax)) {
    const { path, message } = describe(error)
    const name = prefix + path
    const messages = (found[name] ??= [])
    if (!messages.includes(message)) messages.push(message)
  }
  return found
}

const toMemberPath = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      '',
    )

const kinds: Record<string, string> = {
  string: 'a text in quotes',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}
const typeName = (type: string | string[]) =>
  [type]
    .flat()
    .map((name) => kinds[name] ?? name)
    .join(' or ')

function describe(error: ErrorObject): { path: string; message: string } {
  const path = toMemberPath(error.instancePath)
  const params = error.params as Record<string, unknown>
  const below = (name: string) => (path === '' ? name : `${path}.${name}`)
  switch (error.keyword) {
    case 'required':
      return { path: below(String(params['missingProperty'])), message: 'is required.' }
    case 'additionalProperties':
      return {
        path: below(String(params['additionalProperty']).slice(0, 100)),
        message: `is not known here.${knownNames(error)}`,
      }
    case 'type':
      return { path, message: `must be ${typeName(params['type'] as string | string[])}.` }
    case 'enum':
      return {
        path,
        message: `must be one of ${(params['allowedValues'] as unknown[]).filter((v) => v !== null).join(', ')}.`,
      }
    case 'maxLength':
      return { path, message: `must have at most ${params['limit']} characters.` }
    case 'minLength':
      return {
        path,
        message:
          params['limit'] === 1 ? 'must not be empty.' : `must have at least ${params['limit']} characters.`,
      }
    case 'maxItems':
      return { path, message: `must have at most ${params['limit']} elements.` }
    case 'minimum':
    case 'exclusiveMinimum':
      return { path, message: `must be at least ${params['limit']}.` }
    case 'maximum':
    case 'exclusiveMaximum':
      return { path, message: `must be at most ${params['limit']}.` }
    case 'pattern':
      return { path, message: 'must be one line without control characters.' }
    case 'format':
      return { path, message: formatMessages[params['format'] as string] ?? `must be a ${params['format']}.` }
    default:
      return { path, message: `${error.message ?? 'is invalid'}.` }
  }
}

const formatMessages: Record<string, string> = {
  uuid: 'must be a GUID such as 0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70.',
  'date-time':
    'must be a date-time with an offset such as 2026-11-21T12:00:00Z, or a date such as 2026-11-21, of the years 1 to 9999.',
}

/** The nearest names, else all. */
function knownNames({ parentSchema, params }: ErrorObject): string {
  const names = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
  const near = closeNames(String((params as Record<string, unknown>)['additionalProperty']), names)
  if (near.length > 0) return ` Did you mean ${near.join(' or ')}?`
  return names.length > 0 && names.length <= 60 ? ` Known are ${names.join(', ')}.` : ''
}
