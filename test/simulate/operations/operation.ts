import type { Model } from '../model.ts'
import type { Random } from '../random.ts'
import type { Answer, Sender, World } from '../world.ts'

export interface Run {
  simulation: World
  client: Sender
  random: Random
  model: Model
  number: number
}

export interface Operation {
  name: string
  /** How often it is drawn, beside the others. */
  weight: number
  /** Whether there is what it needs; else another one is drawn. */
  needs?(simulation: World): boolean
  /** Two at once make no sense: it changes the surroundings. */
  isAlone?: boolean
  run(run: Run): Promise<void>
}

export const formPath = (entity: string, type: string, query: Record<string, string> = {}): string => {
  const text = new URLSearchParams(query).toString()
  return `/system/forms/${entity}/${type}${text === '' ? '' : `?${text}`}`
}

export const isDone = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && answer.status < 300

/** A member of an answer that is a text. */
export const readText = ({ body }: Answer, member: string): string => String(body[member])

/** 1.00 to 999.99. */
export const someAmount = (random: { below(limit: number): number }): number =>
  (random.below(99_900) + 100) / 100

/** The next last or first day of a month, or the leap day of 2028 with the days beside it. */
export function nextEdge(day: number): number {
  const leapDay = (Date.UTC(2028, 1, 29) - Date.UTC(2026, 5, 15)) / 86_400_000
  for (let next = day + 1; ; next++) {
    if (Math.abs(next - leapDay) <= 1) return next
    const text = dayText(next)
    if (text.endsWith('-01') || dayText(next + 1).endsWith('-01'))
      return day < leapDay && day % 3 === 0 ? leapDay - 1 : next
  }
}

export const dayText = (day: number): string =>
  new Date(Date.UTC(2026, 5, 15) + day * 86_400_000).toISOString().slice(0, 10)
