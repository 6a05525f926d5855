/** Schemas of the document as Python types. */
import type { JsonSchema } from '../../contract/openapi/openapi-document.ts'

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
const identifier = /^[A-Za-z_]\w*$/

/** A member or operation name as Python writes it: `debtorGuid` becomes `debtor_guid`, and `from` becomes `from_`. */
export function snakeCase(name: string): string {
  const words = name
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/^_+|_+$/g, '')
  return keywords.has(words) ? `${words}_` : words
}

/** A text as a Python literal. JSON escapes are Python's too. */
export const literal = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)

const simple: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'Dict[str, Any]',
}

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)]
  if (distinct.includes('Any')) return 'Any'
  const named = distinct.filter((type) => type !== 'None')
  const whole = named.length === 1 ? named[0]! : `Union[${named.join(', ')}]`
  return named.length === distinct.length ? whole : named.length === 0 ? 'None' : `Optional[${whole}]`
}

/** The type of a schema. Named ones stand in `types.py`. */
export function pythonType(schema: JsonSchema): string {
  const { $ref, type, items, additionalProperties } = schema
  if (typeof $ref === 'string') return `"${$ref.split('/').at(-1)!}"`
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (Array.isArray(schema.enum))
    return schema.enum.every((value) => Number.isInteger(value) || typeof value !== 'number')
      ? `Literal[${schema.enum.map(literal).join(', ')}]`
      : 'float'
  const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (branches) return union(branches.map(pythonType))
  if (Array.isArray(type)) return union(type.map((one: string) => pythonType({ ...schema, type: one })))
  if (type === 'array') return `List[${isSchema(items) ? pythonType(items) : 'Any'}]`
  if (type === 'object' && isSchema(additionalProperties))
    return `Dict[str, ${pythonType(additionalProperties)}]`
  return simple[String(type)] ?? 'Any'
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** The lines of a named schema: a TypedDict for an object with members, else an alias. */
export function declareType(name: string, schema: JsonSchema): string[] {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  if (schema.type !== 'object' || members.length === 0) return [`${name} = ${pythonType(schema)}`, '']
  if (!members.every(([member]) => identifier.test(member) && !keywords.has(member)))
    return declareByCall(name, members)
  const required = (schema.required ?? []) as string[]
  const [needed, free] = [
    members.filter(([member]) => required.includes(member)),
    members.filter(([member]) => !required.includes(member)),
  ]
  // Required members of a TypedDict stand in a class of their own: `NotRequired` is newer than Python 3.9.
  if (needed.length === 0) return declareClass(name, 'TypedDict, total=False', free)
  if (free.length === 0) return declareClass(name, 'TypedDict', needed)
  return [
    ...declareClass(`${name}Required`, 'TypedDict', needed),
    ...declareClass(name, `${name}Required, total=False`, free),
  ]
}

const declareClass = (name: string, base: string, members: [string, JsonSchema][]): string[] => [
  '',
  `class ${name}(${base}):`,
  ...members.flatMap(([member, schema]) => [
    ...(typeof schema.title === 'string' ? [`    #: ${schema.title.replaceAll(/\s+/g, ' ')}`] : []),
    `    ${member}: ${pythonType(schema)}`,
  ]),
  '',
]

/** Members whose names are no identifiers of Python, such as `from`. */
const declareByCall = (name: string, members: [string, JsonSchema][]): string[] => [
  `${name} = TypedDict("${name}", {`,
  ...members.map(([member, schema]) => `    ${literal(member)}: ${pythonType(schema)},`),
  '}, total=False)',
  '',
]
