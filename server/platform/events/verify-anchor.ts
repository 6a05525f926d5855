/**
 * Compares the audit trail with what was anchored outside the database. The chain alone cannot show that its end was cut
 * off, or that all of it was computed again.
 */
import type { Sql } from '../database/driver/pool.ts'
import {
  anchorFile,
  erasureFile,
  readAnchorLines,
  type AnchorLine,
  type ErasureLine,
  type HeadLine,
  type KeyLine,
  type RestoreLine,
  type TimeStampLine,
} from './anchor-file.ts'
import { headParts, keyParts } from './anchor-heads.store.ts'
import { erasureParts } from './anchor.ts'
import { verifyAudit, type AuditCheck } from './audit-seal.ts'
import { isSignedBy } from './seal-key.ts'
import { verifyTimeStamps, type StampRules, type TimeStampCheck } from './verify-time-stamps.ts'

export interface AnchorCheck {
  /** Anchored heads that the trail still has to have. */
  heads: number
  /** The newest of them. */
  lastHead: { seal: number; at: string } | null
  timeStamps: TimeStampCheck
  /** Moments of which the database was restored. */
  restores: string[]
  /** Keys that a person accepted without the signature of the former one. */
  acceptedKeys: string[]
  /** Lines that are no JSON document: a crash or a full disk may have cut one off. */
  unreadable: number
  /** What is wrong, in sentences. Empty when the trail is what was anchored. */
  faults: string[]
}

export interface AnchorOptions extends StampRules {
  /** The database is a copy as of this moment: heads anchored later may be missing. */
  asOf?: string
}

const faultsMax = 20

/** What the lines of an anchor file say, up to now. */
interface ReadAnchor extends Pick<AnchorCheck, 'restores' | 'acceptedKeys' | 'unreadable' | 'faults'> {
  keys: Map<string, Buffer>
  /** By the number of the seal. */
  heads: Map<number, HeadLine>
  stamps: TimeStampLine[]
  /** Any line of the file is a time stamp, also of a head that a restore removed. */
  hasStamps: boolean
}

/** Verifies the chain and holds it against the anchor folder. */
export async function verifyAnchor(
  sql: Sql,
  folder: string,
  { asOf, ...rules }: AnchorOptions = {},
): Promise<{ audit: AuditCheck; anchor: AnchorCheck }> {
  const read = await readAnchor(folder)
  const { keys, heads, restores, acceptedKeys, unreadable, faults } = read
  if (asOf !== undefined) dropAfter(read, asOf)
  const anchored = heads.size
  let last = 0
  for (const seal of heads.keys()) last = Math.max(last, seal)
  const lastHead = anchored === 0 ? null : { seal: last, at: heads.get(last)!.at }
  const stamps = read.stamps.toSorted((one, other) => one.seal - other.seal)
  const ordered = [...heads.values()].toSorted((one, other) => one.seal - other.seal)
  const until = asOf ?? new Date().toISOString()
  const { hasStamps } = read
  const timeStamps = await verifyTimeStamps({ heads: ordered, stamps, hasStamps, until }, rules, faults)
  const audit = await compareChain(sql, read)
  faults.push(...(await listMissingErasures(sql, folder, keys)))
  const anchor = {
    heads: anchored,
    lastHead,
    timeStamps,
    restores,
    acceptedKeys,
    unreadable,
    faults: faults.slice(0, faultsMax),
  }
  return { audit, anchor }
}

async function readAnchor(folder: string): Promise<ReadAnchor> {
  const file = anchorFile(folder)
  const { lines, unreadable } = await readAnchorLines<AnchorLine>(file)
  const read: ReadAnchor = {
    keys: new Map(),
    heads: new Map(),
    stamps: [],
    hasStamps: lines.some(({ kind }) => kind === 'time-stamp'),
    restores: [],
    acceptedKeys: [],
    unreadable,
    faults: [],
  }
  if (lines.length === 0)
    read.faults.push(
      `${file} is missing or empty: nothing was anchored there. Set FORDRA_ANCHOR as the server has it.`,
    )
  for (const line of firstKeyFirst(lines)) {
    if (line.kind === 'key') readKey(read, line)
    if (line.kind === 'head') readHead(read, line)
    if (line.kind === 'time-stamp') read.stamps.push(line)
    if (line.kind === 'restored') readRestore(read, line)
  }
  return read
}

/** Version 1.0.0 wrote the first key after the first heads, or not until the next start. */
function firstKeyFirst(lines: readonly AnchorLine[]): readonly AnchorLine[] {
  const first = lines.find(({ kind }) => kind === 'key')
  return first ? [first, ...lines.filter((line) => line !== first)] : lines
}

function readKey({ keys, acceptedKeys }: ReadAnchor, line: KeyLine): void {
  if (keys.has(line.key)) return
  if (keys.size > 0 && !isHandedOver(line, keys)) acceptedKeys.push(line.key)
  keys.set(line.key, Buffer.from(line.publicKey, 'base64'))
}

function readHead({ keys, heads, faults }: ReadAnchor, line: HeadLine): void {
  const other = heads.get(line.seal)
  if (!isSigned(line, keys)) faults.push(`The anchored head of seal ${line.seal} has a wrong signature.`)
  else if (other && other.hash !== line.hash)
    faults.push(`Seal ${line.seal} was anchored twice with different hashes, on ${other.at} and ${line.at}.`)
  else heads.set(line.seal, line)
}

function readRestore(read: ReadAnchor, line: RestoreLine): void {
  const { keys, restores, faults } = read
  const key = keys.get(line.key)
  const parts = [line.moment, line.at]
  if (key && isSignedBy(key, Buffer.from(line.signature, 'base64'), 'restored', parts)) {
    restores.push(line.moment)
    dropAfter(read, line.moment)
  } else faults.push(`The restore noted on ${line.at} has a wrong signature.`)
}

function dropAfter(read: ReadAnchor, moment: string): void {
  for (const [seal, { at }] of read.heads) if (at > moment) read.heads.delete(seal)
  read.stamps = read.stamps.filter(({ at }) => at <= moment)
}

/** Verifies the chain, and adds to `faults` where it is not what the heads and time stamps say. Empties `heads`. */
async function compareChain(sql: Sql, { heads, stamps, faults }: ReadAnchor): Promise<AuditCheck> {
  const stamped = new Map(stamps.map((stamp) => [stamp.seal, stamp]))
  const audit = await verifyAudit(sql, {
    onSeal: ({ number, hash }) => {
      const head = heads.get(number)
      if (head && head.hash !== hash.toString('hex'))
        faults.push(
          `Seal ${number} is not the one that was anchored on ${head.at}: the trail was written again.`,
        )
      heads.delete(number)
      const stamp = stamped.get(number)
      if (stamp && stamp.hash !== hash.toString('hex'))
        faults.push(`Seal ${number} is not the one that has a time stamp.`)
      stamped.delete(number)
    },
  })
  const [first] = [...heads.values()].toSorted((one, other) => one.seal - other.seal)
  if (audit.brokenAt === null && first)
    faults.push(
      `The trail ends at seal ${audit.seals}, but seal ${first.seal} was anchored on ${first.at}: its end was cut off.`,
    )
  const [cut] = stamped.values()
  if (audit.brokenAt === null && !first && cut)
    faults.push(
      `The trail ends at seal ${audit.seals}, but seal ${cut.seal} has a time stamp: its end was cut off.`,
    )
  return audit
}

function isSigned({ key, signature, seal, hash }: HeadLine, keys: ReadonlyMap<string, Buffer>): boolean {
  const publicKey = keys.get(key)
  return (
    publicKey !== undefined &&
    isSignedBy(publicKey, Buffer.from(signature, 'base64'), 'head', headParts(seal, hash))
  )
}

function isHandedOver(line: KeyLine, keys: ReadonlyMap<string, Buffer>): boolean {
  const former = line.handedOverBy === null ? undefined : keys.get(line.handedOverBy)
  return (
    former !== undefined &&
    line.signature !== null &&
    isSignedBy(former, Buffer.from(line.signature, 'base64'), 'key', keyParts(line.key, line.publicKey))
  )
}

/** Recorded erasures that the database does not have, such as after a restore that was not replayed. */
async function listMissingErasures(
  sql: Sql,
  folder: string,
  keys: ReadonlyMap<string, Buffer>,
): Promise<string[]> {
  const { lines } = await readAnchorLines<ErasureLine>(erasureFile(folder))
  const known = new Set((await sql<{ id: string }[]>`select id from erasure`).map(({ id }) => id))
  return lines.flatMap((line) => {
    const key = keys.get(line.key)
    const isOwn =
      key !== undefined &&
      isSignedBy(key, Buffer.from(line.signature, 'base64'), 'erasure', erasureParts(line))
    if (!isOwn) return [`The recorded erasure ${line.erasure} has a wrong signature.`]
    if (known.has(line.erasure)) return []
    return [
      `The erasure ${line.erasure} of ${line.at} is not in the database. Start the service, which replays it.`,
    ]
  })
}
