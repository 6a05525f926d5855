/** Verifies the time stamps of an anchor file, and tells how long heads waited for theirs. */
import type { Certificate } from 'pkijs'
import type { TimeStampLine } from './anchor-file.ts'
import { readTimeStamp } from './time-stamp.ts'

export interface TimeStampCheck {
  /** Time stamps that hold. */
  count: number
  /** The first and the newest of them, by the clock of the authority. */
  first: { seal: number; at: string; authority: string } | null
  last: { seal: number; at: string; authority: string } | null
  /** The longest time in seconds from a head to the time stamp that covers it: what could have been dated back. */
  longestWaitSeconds: number
  /** When the first head after the last time stamp was anchored. */
  unstampedSince: string | null
  /** Time stamps that were not checked, because no certificate is trusted (FORDRA_TSA_CA). */
  unchecked: number
}

type Head = { seal: number; at: string }

/**
 * @param heads the anchored heads, in the order of their seals
 * @param stamps in the order of the file
 * @param faults gets a sentence for each time stamp that does not hold
 */
export async function verifyTimeStamps(
  heads: readonly Head[],
  stamps: readonly TimeStampLine[],
  trusted: readonly Certificate[] | undefined,
  faults: string[],
): Promise<TimeStampCheck> {
  const check: TimeStampCheck = {
    count: 0,
    first: null,
    last: null,
    longestWaitSeconds: 0,
    unstampedSince: heads[0]?.at ?? null,
    unchecked: 0,
  }
  if (!trusted) return { ...check, unchecked: stamps.length, unstampedSince: null }
  let next = 0
  for (const { seal, hash, token, at } of stamps) {
    try {
      const stamp = { seal, ...(await readTimeStamp(Buffer.from(token, 'base64'), hash, trusted)) }
      check.count++
      check.first ??= stamp
      check.last = stamp
      const waiting = heads[next]
      if (waiting && waiting.seal <= seal)
        check.longestWaitSeconds = Math.max(check.longestWaitSeconds, secondsBetween(waiting.at, stamp.at))
      while (next < heads.length && heads[next]!.seal <= seal) next++
    } catch (error) {
      faults.push(`The time stamp of seal ${seal}, kept on ${at}: ${(error as Error).message}`)
    }
  }
  check.unstampedSince = heads[next]?.at ?? null
  return check
}

const secondsBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 1000)

/** The check in lines for people. */
export function describeTimeStamps(check: TimeStampCheck): string[] {
  const { count, last, longestWaitSeconds, unstampedSince, unchecked } = check
  return [
    ...(last
      ? [
          `${count} time stamps hold, the last one of ${last.at} for seal ${last.seal} by ${last.authority}. ` +
            `The longest wait of a head for its time stamp: ${describeDuration(longestWaitSeconds)}.`,
        ]
      : []),
    ...(last && unstampedSince !== null ? [`Heads since ${unstampedSince} have no time stamp yet.`] : []),
    ...(unchecked > 0
      ? [
          `${unchecked} time stamps were not checked. Set FORDRA_TSA_CA to the certificates that vouch for them.`,
        ]
      : []),
  ]
}

function describeDuration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
