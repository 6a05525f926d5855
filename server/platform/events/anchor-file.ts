/**
 * Files of the anchor folder (FORDRA_ANCHOR), outside the database: one JSON document per line, only appended.
 * `anchor.ndjson` has what the audit trail was, `erasures.ndjson` what was erased, `users.ndjson` which
 * users may sign in. None has personal data.
 */
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A public key that signs from here on, and the former key's signature of it. */
export interface KeyLine {
  kind: 'key'
  at: string
  key: string
  /** Base64. */
  publicKey: string
  handedOverBy: string | null
  signature: string | null
}

/** A signed head of the chain. */
export interface HeadLine {
  kind: 'head'
  at: string
  seal: number
  /** Hexadecimal digits. */
  hash: string
  key: string
  signature: string
}

/** The former seals that version 3 carried over. */
export interface CarryOverLine {
  kind: 'carried-over'
  at: string
  seals: number
  entries: number
  hash: string
  brokenAt: number | null
}

/** The database was restored as of a moment: heads that were signed later may be missing from it. */
export interface RestoreLine {
  kind: 'restored'
  at: string
  moment: string
  key: string
  signature: string
}

/**
 * A time stamp of an authority (RFC 3161) for the hash of a head, written as hexadecimal digits. The token is DER in
 * Base64.
 */
export interface TimeStampLine {
  kind: 'time-stamp'
  at: string
  seal: number
  hash: string
  token: string
}

export type AnchorLine = KeyLine | HeadLine | CarryOverLine | RestoreLine | TimeStampLine

export interface ErasureLine {
  erasure: string
  debtor: string
  kinds: number[]
  at: string
  key: string
  signature: string
}

/** Whether a user may sign in, from here on. */
export interface UserLine {
  user: string
  state: 'enabled' | 'disabled' | 'deleted'
  at: string
  key: string
  signature: string
}

export const anchorFile = (folder: string): string => join(folder, 'anchor.ndjson')
export const erasureFile = (folder: string): string => join(folder, 'erasures.ndjson')
export const userFile = (folder: string): string => join(folder, 'users.ndjson')

const newline = 10

/** Appends lines and waits until the disk has them. Makes folder and file, for their owner alone. */
export async function appendLines(file: string, lines: readonly object[]): Promise<void> {
  if (lines.length === 0) return
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const last = size === 0 ? newline : (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0]
    // What a crash or a full disk cut off stays a line of its own.
    const text = `${last === newline ? '' : '\n'}${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`
    await handle.appendFile(text)
    await handle.sync()
    if (size === 0) await flushFolder(join(file, '..'))
  } finally {
    await handle.close()
  }
}

/** Makes the name of a new file durable. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export interface ReadLines<T> {
  lines: T[]
  /** Lines that are no JSON document. */
  unreadable: number
}

/** All lines of a file; none of a missing one. */
export async function readAnchorLines<T extends object>(file: string): Promise<ReadLines<T>> {
  const read: ReadLines<T> = { lines: [], unreadable: 0 }
  try {
    for await (const text of createInterface({
      input: createReadStream(file, 'utf8'),
      crlfDelay: Infinity,
    })) {
      if (text === '') continue
      try {
        read.lines.push(JSON.parse(text) as T)
      } catch {
        read.unreadable++
      }
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
  return read
}
