/** The columns of a list and their filter operators, derived from the contract's schema of a row. */
import { closedLists } from './closed-lists.data.ts'

export type FieldKind = 'text' | 'number' | 'date' | 'boolean' | 'choice' | 'guid' | 'other'

export interface ListField {
  name: string
  /** The contract's English title. */
  title: string
  kind: FieldKind
  /** For choices: the values as in `$filter`, with texts in quotes. */
  choices: readonly { value: string; title: string }[]
  filterable: boolean
  /** Shown in filters alone, for saved ones that have it: no column, and not offered for new conditions. */
  filterOnly?: boolean
  /** The lookup of its codes. */
  lookup?: string
  /** For numbers: true if it is an amount in the row's currency. */
  money?: boolean
  /** For dates: true if it is a day without a time. */
  isDay?: boolean
}

interface MemberSchema {
  type?: string | readonly string[]
  format?: string
  title?: string
  enum?: readonly unknown[]
  description?: string
  'x-field'?: { unfilterable?: boolean; filterOnly?: boolean; kind?: string; lookup?: string }
}

export function readListFields(schema: object): ListField[] {
  const { properties = {} } = schema as { properties?: Record<string, MemberSchema> }
  return Object.entries(properties)
    .map(([name, member]) => {
      const kind = fieldKind(member)
      return {
        name,
        title: member.title ?? member.description?.replace(/[.;].*$/s, '') ?? name,
        kind,
        choices: readChoices(member),
        ...(member['x-field']?.lookup && { lookup: member['x-field'].lookup }),
        filterable: kind !== 'other' && member['x-field']?.unfilterable !== true,
        ...(member['x-field']?.filterOnly && { filterOnly: true }),
        ...(member['x-field']?.kind === 'money' && { money: true }),
        ...(member['x-field']?.kind === 'date' && { isDay: true }),
      }
    })
    .filter(({ kind }) => kind !== 'other')
}

function fieldKind({ type, format, enum: values, 'x-field': more }: MemberSchema): FieldKind {
  const [only, ...others] = [type ?? []].flat().filter((name) => name !== 'null')
  if (others.length > 0 || only === undefined) return 'other'
  if (values || (more?.lookup && closedLists[more.lookup])) return 'choice'
  if (only === 'string') return format === 'uuid' ? 'guid' : format === 'date-time' ? 'date' : 'text'
  if (only === 'integer' || only === 'number') return 'number'
  return only === 'boolean' ? 'boolean' : 'other'
}

/** The description of a code lists its values: `0 natural person, 1 legal person`. */
function readChoices({ enum: listed, description = '', 'x-field': more }: MemberSchema) {
  const values = listed ?? closedLists[more?.lookup ?? '']
  const meanings = new Map(
    description.split(', ').map((part) => {
      const [, value = '', meaning = ''] = /^(\d+) (.*)$/.exec(part) ?? []
      return [value, meaning]
    }),
  )
  return (values ?? [])
    .filter((value) => value !== null)
    .map((value) => ({
      value: typeof value === 'string' ? `'${value}'` : String(value),
      title: meanings.get(String(value)) || String(value),
    }))
}
