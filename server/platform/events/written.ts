/** Reads what this server's files of the anchor folder already have, so that only what is new is appended. */
import {
  anchorFile,
  erasureFile,
  readAnchorLines,
  type AnchorLine,
  type ErasureLine,
  type HeadLine,
} from './anchor-file.ts'

export interface Written {
  keys: Map<string, Buffer>
  head: { seal: number; hash: string } | undefined
  /** Heads after the last time stamp, in the order of their seals. */
  unstamped: { seal: number; at: string }[]
  isStamped: boolean
  isCarried: boolean
  erasures: Set<string>
}

export async function readWritten(folder: string): Promise<Written> {
  const { lines } = await readAnchorLines<AnchorLine>(anchorFile(folder))
  const written: Written = {
    keys: new Map(),
    head: undefined,
    unstamped: [],
    isStamped: false,
    isCarried: false,
    erasures: new Set(),
  }
  let heads: HeadLine[] = []
  let stamped = 0
  for (const line of lines) {
    if (line.kind === 'key') written.keys.set(line.key, Buffer.from(line.publicKey, 'base64'))
    if (line.kind === 'carried-over') written.isCarried = true
    if (line.kind === 'head') heads.push(line)
    if (line.kind === 'time-stamp') stamped = line.seal
    if (line.kind === 'restored') heads = heads.filter(({ at }) => at <= line.moment)
  }
  const last = heads.at(-1)
  if (last) written.head = { seal: last.seal, hash: last.hash }
  written.unstamped = heads.map(({ seal, at }) => ({ seal, at }))
  if (stamped > 0) addStamp(written, stamped)
  const erasures = await readAnchorLines<ErasureLine>(erasureFile(folder))
  for (const { erasure } of erasures.lines) written.erasures.add(erasure)
  return written
}

/** A time stamp covers its head and all before. */
export function addStamp(written: Written, seal: number): void {
  written.isStamped = true
  written.unstamped = written.unstamped.filter((head) => head.seal > seal)
}
