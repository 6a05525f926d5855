/**
 * Judges a history of reads and writes by what docs/operate/scaling-out.md promises, and by nothing that the service says of
 * itself. Each write adds one element to a set that all share; each read tells which elements there are. As in Jepsen's set
 * and Elle's list-append, elements are unique, so that an answer shows exactly which writes it includes.
 */

export interface Write {
  kind: 'write'
  caller: string
  element: string
  began: number
  /** When it was acknowledged; undefined when its outcome is unknown. */
  ended: number | undefined
}

export interface Read {
  kind: 'read'
  caller: string
  elements: string[]
  began: number
  ended: number
  /** How old it may be, in seconds; 0 where the primary has to answer. */
  staleSeconds: number
}

export type Act = Write | Read

/** Sentences; none when the history keeps all promises. Times are in milliseconds of one clock. */
export function checkHistory(acts: readonly Act[]): string[] {
  const writes = acts.filter((act) => act.kind === 'write')
  const reads = acts.filter((act) => act.kind === 'read')
  const byElement = new Map(writes.map((write) => [write.element, write]))
  return [
    ...reads.flatMap((read) => checkRead(read, writes, byElement)),
    ...checkRising(reads.filter(({ staleSeconds }) => staleSeconds === 0)),
  ]
}

function checkRead(read: Read, writes: readonly Write[], byElement: ReadonlyMap<string, Write>): string[] {
  const faults: string[] = []
  const about = `The read of ${read.caller} at ${Math.round(read.began)} (max-stale ${read.staleSeconds})`
  const seen = new Set(read.elements)
  if (seen.size < read.elements.length) faults.push(`${about} has an element twice.`)
  for (const element of seen) {
    const write = byElement.get(element)
    if (!write) faults.push(`${about} has ${element}, which nobody wrote.`)
    else if (write.began > read.ended) faults.push(`${about} has ${element} before it was written.`)
  }
  const missing = writes.filter(({ element }) => !seen.has(element))
  for (const { caller, element, ended } of missing) {
    if (ended === undefined || ended > read.began) continue
    if (caller === read.caller) faults.push(`${about} lacks ${element}, the caller's own write.`)
    else if (ended < read.began - read.staleSeconds * 1000)
      faults.push(`${about} lacks ${element}, which was acknowledged at ${Math.round(ended)}: it is too old.`)
  }
  faults.push(
    ...findHole(
      about,
      missing,
      writes.filter(({ element }) => seen.has(element)),
    ),
  )
  return faults
}

/** A read of one moment that has a write has every write that was acknowledged before that one began. */
function findHole(about: string, missing: readonly Write[], present: readonly Write[]): string[] {
  let last: Write | undefined
  for (const write of present) if (!last || write.began > last.began) last = write
  const hole = missing.find(({ ended }) => last && ended !== undefined && ended < last.began)
  return hole
    ? [`${about} has ${last!.element} and lacks ${hole.element}, which was acknowledged before.`]
    : []
}

/** The primary never goes back: what one answer has shown, every later read has. */
function checkRising(reads: readonly Read[]): string[] {
  return reads.flatMap((read) => {
    const seen = new Set(read.elements)
    const former = reads.find(
      ({ ended, elements }) => ended < read.began && elements.some((element) => !seen.has(element)),
    )
    return former
      ? [
          `The read of ${read.caller} at ${Math.round(read.began)} lacks what ${former.caller} had read before.`,
        ]
      : []
  })
}

/** How often a caller's answer lacked what an earlier one had shown: the documentation does not exclude it. */
export function countFallingBack(acts: readonly Act[]): number {
  const reads = acts.filter((act) => act.kind === 'read')
  return reads.filter((read) => {
    const seen = new Set(read.elements)
    return reads.some(
      ({ caller, ended, elements }) =>
        caller === read.caller && ended < read.began && elements.some((element) => !seen.has(element)),
    )
  }).length
}
