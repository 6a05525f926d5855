/** Maps the columns of a source to members. */
import { editDistance } from '../../../../core/text/edit-distance.ts'
import type { TObject } from 'typebox'
import type { FieldMeta } from '../../../../contract/metadata/fields.ts'
import { isRejectedColumn } from './rejected-columns.ts'
import { ImportRefused } from './import-refused.ts'

/** The column with the source's own reference. */
export const referenceName = 'sourceReference'

export interface Target {
  name: string
  /** The JSON Schema type, without null. */
  type: string
  isDate?: boolean
  isMoney?: boolean
  /** Personal data, which no report repeats. */
  isPersonal?: boolean
  /** The parser of a CSV cell that is neither text, number nor boolean. */
  read?: (text: string) => unknown
}
/** Null leaves a column out. */
export type Column = Target | null

export interface ColumnNames {
  /** The member for a heading, in any letter case; undefined when there is none. */
  find(heading: string): Column | undefined
  /** The member of a name in any letter case, whatever is mapped. */
  member(name: string): Target | undefined
  /** The mapped headings as given. */
  mapped: readonly string[]
  /** Every member. */
  list: readonly string[]
  /** The message for a heading that is not a member. */
  describeUnknown(heading: string): string
}

/**
 * Reads mappings such as `Personnr=idNumber`; `Notes=` leaves a column out. Throws ImportRefused for a mapping that is
 * malformed, names an unknown member, or repeats one.
 */
export function readColumnNames(
  schema: TObject,
  mappings: readonly string[],
  cells: Readonly<Record<string, (text: string) => unknown>> = {},
): ColumnNames {
  const targets: Target[] = [
    { name: referenceName, type: 'string' },
    ...Object.entries(schema.properties).map(([name, property]) => ({
      name,
      type: jsonType(property),
      ...describeField(property),
      ...(cells[name] && { read: cells[name] }),
    })),
  ]
  const byName = new Map(targets.map((target) => [fold(target.name), target]))
  const names = targets.map(({ name }) => name)
  const mapped = new Map<string, Column>()
  for (const mapping of mappings) {
    const at = mapping.lastIndexOf('=')
    const heading = mapping.slice(0, Math.max(at, 0)).trim()
    const name = mapping.slice(at + 1).trim()
    if (heading === '') {
      throw new ImportRefused(
        `'${mapping}' is not a mapping. Write heading=field, such as Personnr=idNumber, or heading= to leave a column out.`,
      )
    }
    const target = name === '' ? null : byName.get(fold(name))
    if (target === undefined) throw new ImportRefused(`'${mapping}': ${describeUnknown(name, names)}`)
    if (mapped.has(fold(heading))) throw new ImportRefused(`The heading '${heading}' is mapped twice.`)
    mapped.set(fold(heading), target)
  }
  return {
    find: (heading) => {
      const column = mapped.get(fold(heading))
      if (column !== undefined) return column
      return isRejectedColumn(heading) ? null : byName.get(fold(heading))
    },
    member: (name) => byName.get(fold(name)),
    mapped: mappings.map((mapping) => mapping.slice(0, mapping.lastIndexOf('=')).trim()),
    list: names,
    describeUnknown: (heading) => describeUnknown(heading, names),
  }
}

/**
 * The columns of a heading line. Throws ImportRefused for unknown headings, two columns of one member, and a mapped
 * heading that is missing.
 */
export function matchColumns(headings: readonly string[], names: ColumnNames): Column[] {
  const problems: string[] = []
  const headingsByColumn = new Map<string, string>()
  const columns = headings.map((heading, index): Column => {
    if (heading.trim() === '') {
      problems.push(`Column ${index + 1} has no heading.`)
      return null
    }
    const column = names.find(heading)
    if (column === undefined) {
      problems.push(names.describeUnknown(heading))
      return null
    }
    const other = column && headingsByColumn.get(column.name)
    if (other !== null && other !== undefined) {
      problems.push(`The headings '${shorten(other)}' and '${shorten(heading)}' are both ${column!.name}.`)
    }
    if (column) headingsByColumn.set(column.name, heading)
    return column
  })
  const given = new Set(headings.map(fold))
  for (const heading of names.mapped.filter((name) => !given.has(fold(name)))) {
    problems.push(
      `There is no heading '${heading}' to map. The file has ${headings.map(shorten).join(', ')}.`,
    )
  }
  if (problems.length === 0) return columns
  throw new ImportRefused(
    `The heading line does not fit:\n${problems.map((problem) => `  ${problem}`).join('\n')}\n` +
      `The fields are ${names.list.join(', ')}. ` +
      `Map a heading to a field ('Personnr=idNumber'), or leave its column out ('Notes=').`,
  )
}

/**
 * The columns by their places: the member of each, or an empty text for a column that is left out. Throws ImportRefused
 * for an unknown member, a repeated one, and another number of columns than the file has.
 */
export function placeColumns(
  headings: readonly string[],
  members: readonly string[],
  names: ColumnNames,
): Column[] {
  if (members.length !== headings.length)
    throw new ImportRefused(
      `The file has ${headings.length} columns, but ${members.length} are given. Give one field for each, or nothing between two commas to leave a column out.`,
    )
  const columns = members.map((name): Column => {
    const column = name.trim() === '' ? null : names.member(name)
    if (column === undefined) throw new ImportRefused(names.describeUnknown(name))
    return column
  })
  const twice = columns.find(
    (one, index) => one && columns.findIndex((other) => other?.name === one.name) !== index,
  )
  if (twice) throw new ImportRefused(`Two columns are ${twice.name}.`)
  return columns
}

function describeField(property: unknown): Pick<Target, 'isDate' | 'isMoney' | 'isPersonal'> {
  const { kind, personalData } = (property as { 'x-field'?: FieldMeta })['x-field'] ?? {}
  return {
    ...(kind === 'date' && { isDate: true }),
    ...(kind === 'money' && { isMoney: true }),
    ...(personalData !== undefined && { isPersonal: true }),
  }
}

const lettersOnly = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const fold = (name: string) => name.trim().toLowerCase()
const shorten = (heading: string) => {
  const text = heading.trim().replace(/[\p{C}\s]+/gu, ' ')
  return text.length > 50 ? `${text.slice(0, 50)}…` : text
}

function jsonType(property: unknown): string {
  const { type } = property as { type: string | string[] }
  return [type].flat().find((name) => name !== 'null')!
}

function describeUnknown(heading: string, names: readonly string[]): string {
  const near = nearNames(heading, names)
  return `'${shorten(heading)}' is no field.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`
}

/** Similar names: equal except for separators, else with few letters changed, else containing the other. */
function nearNames(heading: string, names: readonly string[]): string[] {
  const text = lettersOnly(heading).slice(0, 50)
  if (text === '') return []
  const distances = names.map((name) => ({ name, distance: editDistance(text, lettersOnly(name)) }))
  const least = Math.min(...distances.map(({ distance }) => distance))
  if (least <= Math.max(1, text.length / 3)) {
    return distances.filter(({ distance }) => distance === least).map(({ name }) => name)
  }
  if (text.length < 3) return []
  return names
    .filter((name) => lettersOnly(name).includes(text) || text.includes(lettersOnly(name)))
    .slice(0, 3)
}
