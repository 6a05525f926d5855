import { runStatement } from '../../platform/database/statement.ts'
import type { ItemType } from '../../../contract/metadata/items.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleItems } from './items.scope.ts'
import { clientsQuestion, joinAll } from './lexemes.ts'

export interface FoundItem {
  guid: string
  type: ItemType
  primaryDescription: string
  secondaryDescription: string | null
  /** The position of the first question that found it. */
  question: number
}

/** The items that match a `tsquery`. Better questions come first. */
export interface ItemQuestion {
  text: string
  /** Whether it finds debtors alone. */
  ofDebtors?: boolean
  /** Better steps have lower numbers: while they find enough, PostgreSQL does not look for the next. */
  step: number
  /** Questions of one group look into the index once, in the group's first step. */
  group?: string
  /** Whether another question of the group finds whatever this one finds. */
  covered?: boolean
}

/** Steps are numbered from 0 and fewer than these. */
const stepsMax = 4

/** How many items to find: `each` at most per question, and none by a further step once `enough` are found. */
export interface Wanted {
  each: number
  enough: number
}

interface Group {
  /** The steps of its best and of its last question. What it finds counts after the last. */
  step: number
  last: number
  /** Positions of questions. */
  members: number[]
}

interface GroupRow extends FoundItem {
  group: number
}

/** The visible items that match one of the questions, each once, by its best question. */
export async function findByLexemes(
  db: Db,
  caller: Caller,
  asked: readonly ItemQuestion[],
  wanted: Wanted,
): Promise<FoundItem[]> {
  if (asked.length === 0) return []
  const questions = narrowToClients(caller, asked)
  const groups = groupQuestions(questions)
  const rows = await findInGroups(db, caller, { questions, groups, wanted })
  const sizes = new Map<number, number>()
  for (const { group } of rows) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  // What a question of a group finds could have crowded out what a better one finds: then each question gets a look-up of its own.
  const isCut = groups.map(
    ({ members }, place) => members.length > 1 && (sizes.get(place) ?? 0) >= wanted.each,
  )
  const apart = groups
    .filter((_, place) => isCut[place])
    .flatMap(({ members }) => members.map((one) => ({ step: 0, last: 0, members: [one] })))
  if (apart.length === 0) return dropRepeated(rows)
  const more = await findInGroups(db, caller, { questions, groups: apart, wanted })
  return dropRepeated([...rows.filter(({ group }) => !isCut[group]), ...more])
}

/** A caller with more clients sees so many debtors that few matches are looked at in vain. */
const clientsMax = 20

/**
 * Questions for debtors find only those that may be the caller's: the index finds word and client together. Who may see
 * a debtor is decided by `visibleItems` as for the other items.
 */
function narrowToClients(caller: Caller, questions: readonly ItemQuestion[]): readonly ItemQuestion[] {
  if (caller.partyIds === null || caller.partyIds.length > clientsMax) return questions
  const clients = clientsQuestion(caller.partyIds)
  return questions.map((one) =>
    one.ofDebtors === true ? { ...one, text: joinAll([`(${one.text})`, clients]) } : one,
  )
}

function groupQuestions(questions: readonly ItemQuestion[]): Group[] {
  const groups = new Map<string, Group>()
  for (const [position, { step, group }] of questions.entries()) {
    const key = group ?? `${position}`
    const known = groups.get(key) ?? { step, last: step, members: [] }
    known.members.push(position)
    groups.set(key, { ...known, step: Math.min(known.step, step), last: Math.max(known.last, step) })
  }
  return [...groups.values()]
}

const writeGroup = (members: readonly ItemQuestion[]): string =>
  (members.length === 1 ? members : members.filter(({ covered }) => covered !== true))
    .map(({ text }) => text)
    .join(' | ')

function dropRepeated(rows: readonly GroupRow[]): FoundItem[] {
  const seen = new Set<string>()
  return rows
    .toSorted((a, b) => a.question - b.question)
    .filter(({ guid }) => !seen.has(guid) && seen.add(guid))
    .map(({ guid, type, primaryDescription, secondaryDescription, question }) => ({
      guid,
      type,
      primaryDescription,
      secondaryDescription,
      question,
    }))
}

function findInGroups(
  db: Db,
  caller: Caller,
  asked: { questions: readonly ItemQuestion[]; groups: readonly Group[]; wanted: Wanted },
): Promise<GroupRow[]> {
  const { questions, groups, wanted } = asked
  const scope = visibleItems(caller).at(7)
  const parts = groups.flatMap(({ members }, place) =>
    members.length > 1 ? members.map((position) => ({ place, position })) : [],
  )
  return runStatement<GroupRow>(
    db,
    writeSteps(groups.some(({ last }) => last > 0) ? stepsMax : 1, scope.text, wanted),
    [
      groups.map(({ members }) => writeGroup(members.map((position) => questions[position]!))),
      groups.map(({ step }) => step),
      groups.map(({ last }) => last),
      parts.map(({ position }) => questions[position]!.text),
      parts.map(({ place }) => place),
      parts.map(({ position }) => position),
      ...scope.parameters,
    ],
    { prepare: true },
  ).then((rows) =>
    // A question asked alone is known without a look at the item.
    rows.map((row) => ({ ...row, question: row.question ?? groups[row.group]!.members[0]! })),
  )
}

/**
 * The materialised expression within a step forces the planner to use the index. Otherwise it would scan the table for
 * common words and hope for early matches. Rows are read from it only until there are enough.
 * The planner sees neither the arrays nor other limits than these: so a connection keeps one plan.
 */
function writeSteps(count: number, visible: string, { each, enough }: Wanted): string {
  const names = Array.from({ length: count }, (_, number) => `step${number}`)
  const steps = names.map((name, number) => {
    const before = names.slice(0, number)
    const known =
      number === 0
        ? '0'
        : `(select count(distinct guid) from (${union(before, 'guid, last')}) known where last < ${number})`
    return `${name} as materialized (
      select found.*, (q.place - 1)::int as "group", q.last
      from unnest((select $1::text[]), (select $2::int[]), (select $3::int[]))
        with ordinality q (question, step, last, place), lateral (
        with matching as materialized (
          select i.guid, i.type, i.primary_description as "primaryDescription",
            i.secondary_description as "secondaryDescription", i.lexemes
          from item i where i.lexemes @@ q.question::tsquery and ${visible}
        ) select * from matching limit ${each}) found
      where q.step = ${number} and ${known} < ${enough})`
  })
  return `with ${steps.join(', ')}, part as materialized (
      select question::tsquery as question, place, position
      from unnest((select $4::text[]), (select $5::int[]), (select $6::int[])) p (question, place, position))
    select guid, type, "primaryDescription", "secondaryDescription", "group",
      case when "group" in (select place from part)
        then (select min(p.position) from part p where p.place = "group" and found.lexemes @@ p.question)
      end as question
    from (${union(names, '*')}) found`
}

const union = (from: readonly string[], select: string): string =>
  from.map((name) => `select ${select} from ${name}`).join(' union all ')
