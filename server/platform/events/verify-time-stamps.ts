/** Verifies the time stamps of an anchor file, and tells how long heads waited for theirs. */
import type { Certificate, CertificateRevocationList } from 'pkijs'
import type { TimeStampLine } from './anchor-file.ts'
import type { RevocationCheck } from './revocation.ts'
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
  /** For how many seconds it had waited at the end of the check, or when the backup was made; 0 where none waits. */
  unstampedSeconds: number
  /** Time stamps that hold and for whose certificate no revocation list was given. */
  withoutRevocation: number
  /** The oldest of the lists that were used: when it was issued, and when it was to be replaced. */
  revocationList: { issuedAt: string; replacedBy: string | null } | null
  /** Time stamps that were not checked, because no certificate is trusted (FORDRA_TSA_CA). */
  unchecked: number
}

type Head = { seal: number; at: string }

/** What the settings say of time stamps. */
export interface StampRules {
  /** Certificates that vouch for the time stamp authority. */
  trusted?: readonly Certificate[] | undefined
  /** Lists of revoked certificates (FORDRA_TSA_CRL). */
  lists?: readonly CertificateRevocationList[]
  /** An authority is to stamp the trail, so an anchor file without any time stamp is not right. */
  isStampExpected?: boolean
}

interface StampedTrail {
  /** The anchored heads, in the order of their seals. */
  heads: readonly Head[]
  /** In the order of their seals. */
  stamps: readonly TimeStampLine[]
  /** Whether the file has, or had before a restore, any time stamp. */
  hasStamps: boolean
  /** The moment up to which heads have waited. */
  until: string
}

/** @param faults gets a sentence for each time stamp that does not hold, and one where all are missing */
export async function verifyTimeStamps(
  { heads, stamps, hasStamps, until }: StampedTrail,
  { trusted, lists = [], isStampExpected = false }: StampRules,
  faults: string[],
): Promise<TimeStampCheck> {
  const check: TimeStampCheck = {
    count: 0,
    first: null,
    last: null,
    longestWaitSeconds: 0,
    unstampedSince: null,
    unstampedSeconds: 0,
    withoutRevocation: 0,
    revocationList: null,
    unchecked: 0,
  }
  const wait = (head: Head | undefined) => {
    check.unstampedSince = head?.at ?? null
    check.unstampedSeconds = head ? Math.max(0, secondsBetween(head.at, until)) : 0
  }
  if (isStampExpected && !hasStamps && heads[0]) {
    wait(heads[0])
    faults.push(
      `FORDRA_TSA_URL names a time stamp authority, but no time stamp was ever kept: heads have gone without one since ${heads[0].at}, ` +
        `for ${describeDuration(check.unstampedSeconds)}. See that the server reaches the authority and that FORDRA_TSA_CA vouches for it.`,
    )
  }
  if (!trusted) return { ...check, unchecked: stamps.length }
  let next = 0
  for (const { seal, hash, token, at } of stamps) {
    try {
      const { revocation, ...read } = await readTimeStamp(Buffer.from(token, 'base64'), hash, trusted, lists)
      const stamp = { seal, ...read }
      check.count++
      noteRevocation(check, revocation)
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
  wait(heads[next])
  return check
}

function noteRevocation(check: TimeStampCheck, { listedAt, replacedBy }: RevocationCheck): void {
  if (listedAt === null) check.withoutRevocation++
  else if (!check.revocationList || listedAt < check.revocationList.issuedAt)
    check.revocationList = { issuedAt: listedAt, replacedBy }
}

const secondsBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 1000)

function describeRevocation({ count, withoutRevocation, revocationList }: TimeStampCheck): string[] {
  const lines: string[] = []
  if (withoutRevocation > 0)
    lines.push(
      `Of ${withoutRevocation} of ${count} time stamps it is not known whether their certificate was revoked. ` +
        'Set FORDRA_TSA_CRL to the revocation list of its issuer.',
    )
  if (!revocationList) return lines
  const { issuedAt, replacedBy } = revocationList
  lines.push(`Revocations are known up to ${issuedAt}, when the list was issued.`)
  if (replacedBy !== null && Date.parse(replacedBy) < Date.now())
    lines.push(`The list was to be replaced by ${replacedBy}. Fetch the newer one.`)
  return lines
}

/** The check in lines for people. */
export function describeTimeStamps(check: TimeStampCheck): string[] {
  const { count, last, longestWaitSeconds, unstampedSince, unstampedSeconds, unchecked } = check
  return [
    ...(last
      ? [
          `${count} time stamps hold, the last one of ${last.at} for seal ${last.seal} by ${last.authority}. ` +
            `The longest wait of a head for its time stamp: ${describeDuration(longestWaitSeconds)}.`,
        ]
      : []),
    ...describeRevocation(check),
    ...(unstampedSince !== null
      ? [
          `Heads since ${unstampedSince} have no time stamp yet: for ${describeDuration(unstampedSeconds)} so far.`,
        ]
      : []),
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
