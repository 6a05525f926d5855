/** Ten writes a second, at times that do not depend on the answers: new debtors and changes of drawn members in turns. */
import { buildHeaders, type Load } from '../drive/requests.ts'
import { drawCreate, drawUpdate } from './drawn-writes.ts'
import type { Random } from './random.ts'
import type { Supplies } from './stock.ts'

const everyMs = 100

export interface SteadyWrites {
  /** Returns how many were stored. Throws an Error when one was refused. */
  stop(): Promise<number>
}

export function startSteadyWrites(
  side: 'product' | 'reference',
  { address, headers }: Pick<Load, 'address' | 'headers'>,
  { writes }: Supplies,
  random: Random,
): SteadyWrites {
  const sent: Promise<void>[] = []
  const failures: string[] = []
  const timer = setInterval(() => {
    const drawn = sent.length % 2 === 0 ? drawCreate(writes) : drawUpdate(random, writes)
    const { method, path, body } = drawn[side]
    const send = async () => {
      const options = { method, headers: buildHeaders({ headers }, drawn[side]), body: JSON.stringify(body) }
      const answer = await fetch(address + path, options)
      const text = await answer.text()
      if (!answer.ok) failures.push(`${path} was answered ${answer.status}: ${text}`)
    }
    sent.push(send().catch((error: unknown) => void failures.push(String(error))))
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(sent)
      if (failures.length > 0) throw new Error(`${failures.length} writes failed. ${failures[0]!}`)
      return sent.length
    },
  }
}
