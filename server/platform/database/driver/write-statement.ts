/** The text and the parameters of a statement, from its template with the pieces in it. */

/** A statement with `$1` and so on, and their values. */
export interface Written {
  text: string
  values: readonly unknown[]
}

/** What stands between a template's values: the strings are one more than the values. */
export interface Template {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/** A value that is sent as JSON, whatever it is. */
export class Parameter {
  readonly json: unknown
  constructor(json: unknown) {
    this.json = json
  }
}

/** A name, rows or a list: how it is written depends on the words before it. */
export class Helper<T = unknown> {
  readonly given: T
  readonly columns: readonly string[]
  constructor(given: T, columns: readonly string[]) {
    this.given = given
    this.columns = columns
  }
}

const isTemplate = (value: unknown): value is Template =>
  typeof value === 'object' && value !== null && 'strings' in value && 'values' in value

/** Throws TypeError for an undefined value. */
export function writeStatement(template: Template): Written {
  // A text as it is, with its own `$1`.
  if (template.strings.length === 1) {
    for (const value of template.values) requireDefined(value)
    return { text: template.strings[0]!, values: template.values }
  }
  const values: unknown[] = []
  return { text: writeTemplate(template, values), values }
}

function writeTemplate({ strings, values: given }: Template, values: unknown[]): string {
  let text = strings[0]!
  for (let index = 1; index < strings.length; index++)
    text += writePiece(text, given[index - 1], values) + strings[index]!
  return text
}

function writePiece(before: string, piece: unknown, values: unknown[]): string {
  if (piece instanceof Helper) return writeHelper(before, piece as Helper, values)
  if (isTemplate(piece)) return writeTemplate(piece, values)
  if (Array.isArray(piece) && isTemplate(piece[0]))
    return piece.map((one) => ` ${writeTemplate(one as Template, values)}`).join('')
  return writeValue(piece, values)
}

function writeValue(value: unknown, values: unknown[]): string {
  requireDefined(value)
  return `$${values.push(value)}`
}

function requireDefined(value: unknown): void {
  if (value === undefined || (value instanceof Parameter && value.json === undefined))
    throw new TypeError('A value of a statement is undefined.')
}

type RowOfValues = Readonly<Record<string, unknown>>

/** The last of these words before a helper decides. */
const words = /(?:^|[\s(])(insert|update|values|in)(?=$|[\s(])/gi

function writeHelper(before: string, { given, columns }: Helper, values: unknown[]): string {
  if (typeof given === 'string') return writeName(given)
  const word = [...before.matchAll(words)].at(-1)?.[1]?.toLowerCase()
  const writeRow = (names: readonly string[], row: RowOfValues) =>
    `(${names.map((name) => writePiece('', row[name], values)).join()})`
  if (word === 'insert') {
    const rows = (Array.isArray(given) ? given : [given]) as RowOfValues[]
    const names = columns.length > 0 ? columns : Object.keys(rows[0]!)
    return `(${names.map(writeName).join()}) values ${rows.map((row) => writeRow(names, row)).join()}`
  }
  if (word === 'update') {
    const row = given as RowOfValues
    const names = columns.length > 0 ? columns : Object.keys(row)
    return names.map((name) => `${writeName(name)} = ${writePiece('', row[name], values)}`).join()
  }
  const list = given as readonly unknown[]
  if (word === 'in')
    return list.length === 0 ? '(null)' : `(${list.map((one) => writePiece('', one, values)).join()})`
  return (list as readonly string[]).map(writeName).join()
}

/** A name with a point is a schema's and that of something in it. */
const writeName = (name: string): string => `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`
