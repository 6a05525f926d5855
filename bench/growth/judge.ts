/** The blocks that a request of a kind read. */
export interface Reading {
  kind: string
  path: string
  blocks: number
}

export interface Judged {
  kind: string
  path: string
  smaller: number
  larger: number
  growth: number
  verdict: 'steady' | 'grows' | 'large'
}

const mostGrowth = 1.5
const mostBlocks = 1000
/** Growth below this many blocks is the depth of an index, or a row that lies elsewhere. */
const unremarkable = 200

/** Pairs the kinds that were drawn on both sizes. A request that reads many blocks on either size does not count as steady. */
export function judge(smaller: readonly Reading[], larger: readonly Reading[]): Judged[] {
  const before = new Map(smaller.map((reading) => [reading.kind, reading]))
  return larger.flatMap(({ kind, path, blocks }) => {
    const small = before.get(kind)
    if (small === undefined) return []
    const growth = blocks / Math.max(1, small.blocks)
    const grows = blocks > unremarkable && growth > mostGrowth
    const verdict = blocks > mostBlocks ? 'large' : grows ? 'grows' : 'steady'
    return [{ kind, path, smaller: small.blocks, larger: blocks, growth, verdict } as const]
  })
}
