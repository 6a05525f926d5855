/**
 * Makes the schemas of the contract: those functions of TypeBox that the contract needs, with TypeBox's types. TypeBox
 * has 700 files, which each command, each import and each service would load first; decision 0340.
 */
import type { Type as TypeBox } from 'typebox'

/** Members that an object may leave out. */
const optional = new WeakSet<object>()

const builders = {
  Unknown: (options?: object) => ({ ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Literal: (value: string | number | boolean, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Union: (anyOf: readonly object[], options?: object) => ({ anyOf, ...options }),
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Object: (properties: Record<string, object>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name]!))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  /** The names of the members are texts of any kind. */
  Record: (_name: object, value: object, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Optional: (schema: object) => {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  /** Gives a schema another type than it describes by itself. */
  Unsafe: (schema: object) => (optional.has(schema) ? builders.Optional(schema) : { ...schema }),
}

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
