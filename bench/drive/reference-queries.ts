/** The SQL of the hand-written server: what somebody would write who knew every request in advance. */
import { debtorListRows, findColumns } from '../../server/parties/debtors/debtors.store.ts'
import { caseRows } from '../../server/cases/all-cases.store.ts'
import { foldedWords } from '../../core/text/fold-text.ts'
import { lexeme } from '../../server/metadata/search/lexemes.ts'
import type { ListSource } from '../../server/platform/database/list.ts'
import type { Property } from '../../server/platform/odata/properties.ts'

export interface ReferenceQuery {
  text: string
  parameters: string[]
}

/** A page of a list that the reference knows. */
export interface ListQuestion {
  list: 'debtor' | 'case'
  /** What the full name begins with, or contains. */
  prefix?: string
  part?: string
  equal?: { member: string; value: string }
  order: { member: string; descending: boolean }
  skip: number
}

export const lists: Record<ListQuestion['list'], ListSource> = { debtor: debtorListRows, case: caseRows }
const top = 25
/** So few rows are read and sorted; more are read along the order. */
const fewRows = 500

const asJson = (select: string) => `select coalesce(json_agg(t), '[]')::text as json from (${select}) t`

export function findProperty(list: ListQuestion['list'], member: string): Property {
  const property = lists[list].properties.get(member.toLowerCase())
  if (!property) throw new Error(`${list} has no member ${member}.`)
  return property
}

const collated = ({ column, type }: Property) =>
  type === 'string' ? `(${column}) collate fordra_order` : `(${column})`

const casts: Record<Property['type'], string> = {
  string: 'text',
  int32: 'int',
  number: 'numeric',
  boolean: 'boolean',
  'date-time': 'timestamptz',
  guid: 'uuid',
}

function writeWhere({ list, prefix, part, equal }: ListQuestion): { text: string; parameters: string[] } {
  const parameters: string[] = []
  const conditions: string[] = []
  const bind = (value: string) => `$${parameters.push(value)}::text`
  if (prefix !== undefined) conditions.push(`d.full_name like ${bind(`${prefix}%`)}`)
  if (part !== undefined) conditions.push(`d.full_name like ${bind(`%${part}%`)}`)
  if (equal) {
    const property = findProperty(list, equal.member)
    const column = property.hasOrderIndex === true ? collated(property) : property.column
    conditions.push(`${column} = ${bind(equal.value)}::${casts[property.type]}`)
  }
  return { text: conditions.length === 0 ? 'true' : conditions.join(' and '), parameters }
}

/** The list's table, with those of its joins that a text names. */
function writeTables({ from, joins = {} }: ListSource, text: string): string {
  const needed = Object.entries(joins).filter(([alias]) => text.includes(`${alias}.`))
  return [from, ...needed.map(([, { join }]) => join)].join(' ')
}

export function writeCount(question: ListQuestion): ReferenceQuery {
  const source = lists[question.list]
  const { text, parameters } = writeWhere(question)
  return { text: `select count(*)::int as total from ${writeTables(source, text)} where ${text}`, parameters }
}

/** @param total how many rows match. */
export function writePage(question: ListQuestion, total: number): ReferenceQuery {
  const source = lists[question.list]
  const { text: where, parameters } = writeWhere(question)
  const { member, descending } = question.order
  const sorted = collated(findProperty(question.list, member))
  const isFar = question.skip > total / 2
  const limit = isFar ? Math.max(0, Math.min(top, total - question.skip)) : top
  const offset = isFar ? Math.max(0, total - question.skip - limit) : question.skip
  const order = (column: string, key: string, reversed: boolean) =>
    `${column} ${descending !== reversed ? 'desc nulls last' : 'nulls first'}, ${key}${reversed ? ' desc' : ''}`
  const isFew = total <= fewRows && where !== 'true'
  const bound =
    !isFew && question.prefix !== undefined && member === 'fullName' && !descending && !isFar
      ? ` and ${sorted} >= $${parameters.push(question.prefix)}::text`
      : ''
  const tables = writeTables(source, `${where} ${sorted}`)
  const keys = isFew
    ? `with matching as materialized (select ${source.key} as k, ${sorted} as s from ${tables} where ${where})
       select k from matching order by ${order('s', 'k', isFar)} limit ${limit} offset ${offset}`
    : `select ${source.key} as k from ${tables} where ${where}${bound} order by ${order(sorted, source.key, isFar)} limit ${limit} offset ${offset}`
  return {
    text: asJson(`select ${source.select} from (${keys}) page join ${writeTables(source, `${source.select}`)} on ${source.key} = page.k
      order by ${order(sorted, source.key, false)}`),
    parameters,
  }
}

export const byKeyText = asJson(`select ${findColumns} from debtor d where d.id = $1::uuid`)

export const casesText =
  asJson(`select ${caseRows.select} from case_debtor cd join debt_case c on c.id = cd.case_id
  ${Object.values(caseRows.joins!)
    .map(({ join }) => join)
    .join(' ')} where cd.debtor_id = $1::uuid order by c.id limit ${top}`)

/** Debtors with words that begin so, in any order: without weights, spelling or other kinds of records. */
export function writeSearch(typed: string): ReferenceQuery {
  const question = foldedWords(typed).map((word) => lexeme(3, 'w', word, true))
  return {
    text: asJson(`with matching as materialized (select guid, type, primary_description as "primaryDescription",
      secondary_description as "secondaryDescription" from item where lexemes @@ $1::tsquery) select * from matching limit 20`),
    parameters: [question.join(' & ')],
  }
}
