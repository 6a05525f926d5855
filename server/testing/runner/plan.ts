import { readFileSync } from 'node:fs'

/** Test files that run one after the other in one process. */
export interface Group {
  name: string
  files: string[]
}

/** In the order in which they run: what takes longest begins first, so that all processes end at about the same time. */
const kinds = ['programs', 'browser', 'service', 'plain'] as const
type Kind = (typeof kinds)[number]

/** Bounded, so that the processes end at about the same time and a crash takes few files along. */
const largestGroup: Record<Kind, number> = { programs: 3, browser: 4, service: 15, plain: 40 }

/** A file that would disturb others in its process says so, with the reason. */
const ownProcess = /^\/\/ Own process: \S/m

/**
 * Divides the files into groups of one kind, for at least `processes` processes. Files with a process of their own come
 * first, then kind by kind; apart from that the order is random, and the seed repeats it.
 */
export function planGroups(
  files: readonly string[],
  { seed, processes }: { seed: number; processes: number },
): Group[] {
  const random = createRandom(seed)
  const alone: Group[] = []
  const shared: Record<Kind, string[]> = { programs: [], browser: [], service: [], plain: [] }
  for (const file of shuffle(files.toSorted(), random)) {
    const text = readFileSync(file, 'utf8')
    if (ownProcess.test(text)) alone.push({ name: file, files: [file] })
    else shared[findKind(text)].push(file)
  }
  const smallest = Math.ceil(files.length / processes)
  const groups = kinds.flatMap((kind) =>
    divide(shared[kind], Math.min(largestGroup[kind], smallest)).map((part, index) => ({
      name: `${kind} ${index + 1}`,
      files: part,
    })),
  )
  return [...alone, ...groups]
}

function findKind(text: string): Kind {
  if (/from '(playwright-core|\S*\/browser\.ts)'/.test(text)) return 'browser'
  if (/from '\S*(\/run-fordra|\/run-worker|testing\/programs\/\S*|\/start-embedded)\.ts'|spawn/.test(text))
    return 'programs'
  return /from '\S*(testing\/|\/server\/)/.test(text) ? 'service' : 'plain'
}

/** Parts of about the same length, none longer than `largest`. */
function divide<Item>(items: readonly Item[], largest: number): Item[][] {
  const count = Math.ceil(items.length / largest)
  return Array.from({ length: count }, (_, part) => items.filter((__, index) => index % count === part))
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
