/** What changed within a value: lists and trees are compared part by part. Pure. */

/** A changed part. One without `before` was added, one without `after` removed. */
export interface ChangeLine {
  /** From the member to the part: names of members, and what identifies an element of a list. */
  path: readonly PathPart[]
  /** The member whose value changed. */
  member: string
  before: unknown
  after: unknown
  /** The elements of a list have another order. Its values are what identifies them. */
  isOrder?: boolean
}
export type PathPart = { member: string } | { element: string }

type Tree = Record<string, unknown>
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNothing = (value: unknown) => value === null || value === undefined

/** The lines of a member. A value that is no list or tree is one line. */
export function compareMember(member: string, before: unknown, after: unknown): ChangeLine[] {
  return compare([{ member }], member, before, after)
}

function compare(path: PathPart[], member: string, before: unknown, after: unknown): ChangeLine[] {
  if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return []
  const isList = [before, after].every((value) => isNothing(value) || Array.isArray(value))
  if (isList) return compareLists(path, member, (before ?? []) as unknown[], (after ?? []) as unknown[])
  if (isTree(before) && isTree(after)) return compareTrees(path, before, after)
  return [{ path, member, before, after }]
}

function compareTrees(path: PathPart[], before: Tree, after: Tree): ChangeLine[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    compare([...path, { member: name }], name, before[name], after[name]),
  )
}

function compareLists(path: PathPart[], member: string, before: unknown[], after: unknown[]): ChangeLine[] {
  const identify = findIdentity([before, after])
  const former = new Map(before.map((one, index) => [identify(one, index), one]))
  const present = new Map(after.map((one, index) => [identify(one, index), one]))
  const removed = [...former].filter(([key]) => !present.has(key))
  const added = [...present].filter(([key]) => !former.has(key))
  const kept = [...present].filter(([key]) => former.has(key))
  const formerOrder = [...former.keys()].filter((key) => present.has(key))
  const order = kept.map(([key]) => key)
  const place = (key: string, value: unknown) => (isTree(value) ? [...path, { element: key }] : path)
  return [
    ...removed.map(([key, value]) => ({ path: place(key, value), member, before: value, after: undefined })),
    ...added.map(([key, value]) => ({ path: place(key, value), member, before: undefined, after: value })),
    ...kept.flatMap(([key, value]) => compare([...path, { element: key }], member, former.get(key), value)),
    ...(formerOrder.join() === order.join()
      ? []
      : [{ path, member, before: formerOrder, after: order, isOrder: true }]),
  ]
}

/** Members that tell the elements of a list apart, the best first. */
const identities = ['code', 'paymentNo', 'caseNumber', 'name', 'act', 'strategy']

/** What an element is called: by a member that is different in each, or else by itself, or by its place. */
function findIdentity(lists: readonly unknown[][]): (one: unknown, index: number) => string {
  if (lists.flat().every((one) => !isTree(one) && !Array.isArray(one))) return (one) => String(one)
  const isUnique = (name: string) =>
    lists.every((list) => {
      const values = list.map((one) => (isTree(one) ? one[name] : undefined))
      return values.every((value) => !isNothing(value)) && new Set(values).size === list.length
    })
  const name = identities.find(isUnique)
  return name === undefined ? (_one, index) => String(index + 1) : (one) => String((one as Tree)[name])
}
