/** The requests of a cell: the same ones for the same seed, for the service and for the reference. */
import type { HttpRequest } from '../drive/requests.ts'
import { families, type DrawnRead } from './drawn-reads.ts'
import { drawCreate, drawUpdate, type DrawnWrite } from './drawn-writes.ts'
import { isWrite, writeFamilies, type Cell } from './cells.ts'
import { draw, type Random } from './random.ts'
import type { Supplies } from './stock.ts'

/** Different requests of one cell that reads. */
const readsDrawn = 200
/** One in so many requests of the mixed kind is a write. */
const readsPerWrite = 5
/** They take too long to be asked as often as the others. */
const unmixed = new Set(['portfolio', 'payouts due'])

export function drawReads({ family, caller }: Cell, { stocks }: Supplies, random: Random): DrawnRead[] {
  const stock = stocks[caller]
  const of = families.filter(({ name }) => (family === 'all kinds' ? !unmixed.has(name) : name === family))
  return Array.from({ length: readsDrawn }, () => draw(random, of).draw(random, stock))
}

export function drawWrites(
  family: string,
  { writes }: Supplies,
  random: Random,
  count: number,
): DrawnWrite[] {
  const members = writeFamilies[family]
  return Array.from({ length: count }, () =>
    members === null ? drawCreate(writes) : drawUpdate(random, writes, members),
  )
}

/** As many as one measurement needs. What is written must be new each time; what is read is asked again and again. */
export function openRequests(cell: Cell, supplies: Supplies, random: Random) {
  const reads = isWrite(cell.family) ? [] : drawReads(cell, supplies, random)
  const isMixed = cell.mode === 'mixed' && cell.caller === 'unrestricted'
  return (side: 'product' | 'reference', count: number): HttpRequest[] => {
    if (isWrite(cell.family)) return drawWrites(cell.family, supplies, random, count).map((one) => one[side])
    const asked = reads.flatMap((read) => read[side] ?? [])
    if (!isMixed) return asked
    const written = drawWrites('update any member', supplies, random, Math.ceil(count / readsPerWrite))
    return written.flatMap((write, index) => [
      ...Array.from(
        { length: readsPerWrite - 1 },
        (_, part) => asked[(index * (readsPerWrite - 1) + part) % asked.length]!,
      ),
      write[side],
    ])
  }
}
