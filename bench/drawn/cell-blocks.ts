/** The blocks that each request reads, one at a time: figures that do not depend on the machine or its load. */
import { openDatabase } from '../../server/platform/database/database.ts'
import { basePath } from '../../contract/api.ts'
import { openReference } from '../drive/reference.ts'
import type { HttpRequest } from '../drive/requests.ts'
import { openWatchedService } from '../drive/watched-service.ts'
import { sumBlocks, watchDatabase } from '../../server/testing/watched-database.ts'
import { callers } from '../load/portfolio.ts'
import { computePercentile } from '../report/statistics.ts'
import { cellName, isWrite, type Cell } from './cells.ts'
import { drawReads, drawWrites } from './draw-cell.ts'
import { createRandom } from './random.ts'
import type { Supplies } from './stock.ts'

export interface Blocks {
  median: number
  most: number
  /** The request that read the most. */
  worst: string
}

/** Of the service and of the reference; null where nothing is written by hand. */
export interface CellBlocks {
  product: Blocks
  reference: Blocks | null
}

const asked = 40

export async function countBlocks(
  url: string,
  {
    cells,
    supplies,
    seed,
    folder,
  }: { cells: readonly Cell[]; supplies: Supplies; seed: number; folder: string },
): Promise<Map<string, CellBlocks>> {
  const product = await openProduct(url, folder)
  const reference = openWatchedReference(url)
  const counted = new Map<string, CellBlocks>()
  try {
    for (const cell of cells) {
      if (cell.mode !== 'alone') continue
      const random = createRandom(seed)
      const drawn = isWrite(cell.family)
        ? drawWrites(cell.family, supplies, random, 2 * asked).map(
            ({ product: own, reference: other }, index) =>
              index < asked ? { own, other: null } : { own: null, other },
          )
        : drawReads(cell, supplies, random)
            .slice(0, asked)
            .map(({ product: own, reference: other }) => ({ own, other }))
      const read = {
        product: await countEach(
          drawn.flatMap(({ own }) => own ?? []),
          (request) => product.ask(cell, request),
        ),
        reference: await countEach(
          drawn.flatMap(({ other }) => other ?? []),
          reference.ask,
        ),
      }
      counted.set(cellName(cell), { ...read, product: read.product! })
    }
  } finally {
    await Promise.all([product.close(), reference.close()])
  }
  return counted
}

async function countEach(
  requests: readonly HttpRequest[],
  ask: (request: HttpRequest) => Promise<number>,
): Promise<Blocks | null> {
  if (requests.length === 0) return null
  const counted: { blocks: number; path: string }[] = []
  for (const request of requests) {
    // The first time may count what is remembered from then on, or prepare what is kept.
    if (request.method === 'GET') await ask(request)
    counted.push({ blocks: await ask(request), path: request.path })
  }
  const sorted = counted.toSorted((a, b) => a.blocks - b.blocks)
  const last = sorted.at(-1)!
  return {
    median: computePercentile(
      sorted.map(({ blocks }) => blocks),
      50,
    ),
    most: last.blocks,
    worst: decodeURIComponent(last.path.replace(basePath, '')),
  }
}

async function openProduct(url: string, folder: string) {
  const service = await openWatchedService(url, folder)
  const tokens = new Map<string, string>()
  const token = async ({ caller }: Cell) => {
    if (!tokens.has(caller)) {
      const login = { method: 'POST', path: '/auth/login', body: callers[caller], token: '' }
      tokens.set(caller, String((await service.ask(login)).body['accessToken']))
    }
    return tokens.get(caller)!
  }
  return {
    ask: async (cell: Cell, { method, path, body }: HttpRequest): Promise<number> => {
      const request = { method, path: path.replace(basePath, ''), body, token: await token(cell) }
      const { status, body: answer, executed } = await service.ask(request)
      if (status >= 300)
        throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(answer)}`)
      return sumBlocks(executed)
    },
    close: () => service.close(),
  }
}

function openWatchedReference(url: string) {
  const watched = watchDatabase(url)
  const sql = openDatabase(watched.url, { max: 1, onnotice: watched.onnotice })
  const reference = openReference(sql)
  return {
    ask: async ({ path, body }: HttpRequest): Promise<number> => {
      watched.take()
      await reference.answer(path, JSON.stringify(body ?? {}))
      return sumBlocks(watched.take())
    },
    close: () => sql.end({ timeout: 5 }),
  }
}
