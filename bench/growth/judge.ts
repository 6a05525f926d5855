/** The blocks that a request of a kind read. */
export interface Reading {
  kind: string
  path: string
  blocks: number
  /** Of these, the ones that were read for the total. */
  counted: number
}

/** Why a request reads many blocks: it counts the total, its order has no index, or few rows on its way match. */
export type Cause = 'total' | 'order' | 'filter'

export interface Judged {
  kind: string
  path: string
  smaller: number
  larger: number
  growth: number
  verdict: 'steady' | 'grows' | 'large'
  /** Of a large one; several where each part of it is large. */
  causes: Cause[]
}

const mostGrowth = 1.5
const mostBlocks = 1000
/** Growth below this many blocks is the depth of an index, or a row that lies elsewhere. */
const unremarkable = 200

/** Pairs the kinds that were drawn on both sizes. A request that reads many blocks on either size does not count as steady. */
export function judge(smaller: readonly Reading[], larger: readonly Reading[]): Judged[] {
  const before = new Map(smaller.map((reading) => [reading.kind, reading]))
  const unordered = new Set(larger.filter(isLargeOrder).map(({ kind }) => kind.replace(/ (asc|desc)$/, '')))
  return larger.flatMap((reading) => {
    const { kind, path, blocks } = reading
    const small = before.get(kind)
    if (small === undefined) return []
    const growth = blocks / Math.max(1, small.blocks)
    const grows = blocks > unremarkable && growth > mostGrowth
    const verdict = blocks > mostBlocks ? 'large' : grows ? 'grows' : 'steady'
    const causes = verdict === 'large' ? findCauses(reading, unordered) : []
    return [{ kind, path, smaller: small.blocks, larger: blocks, growth, verdict, causes } as const]
  })
}

const readPage = ({ blocks, counted }: Reading): number => blocks - counted
const isLargeOrder = (reading: Reading) =>
  / by \w+ (asc|desc)$/.test(reading.kind) && readPage(reading) > mostBlocks

function findCauses(reading: Reading, unordered: ReadonlySet<string>): Cause[] {
  const causes: Cause[] = []
  if (reading.counted > mostBlocks / 2) causes.push('total')
  if (readPage(reading) > mostBlocks / 2) {
    const query = new URLSearchParams(reading.path.split('?')[1])
    const [member] = (query.get('$orderby') ?? '').split(' ')
    causes.push(unordered.has(`${reading.kind.split(' ')[0]} by ${member}`) ? 'order' : 'filter')
  }
  return causes
}

/** The pages and orders that were steady when this was last raised. A kind that is missing was not drawn. */
export const findLost = (judged: readonly Judged[], steady: ReadonlySet<string>): Judged[] =>
  judged.filter(({ kind, verdict }) => verdict !== 'steady' && steady.has(kind))
