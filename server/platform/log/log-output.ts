/**
 * Where log lines go. Writing one never blocks, throws or waits: the service goes on when the reader of its log is slow,
 * stopped or gone. Lines that find no room are dropped and counted.
 */
import type { Writable } from 'node:stream'

export interface LogOutput {
  write(line: string): void
  /** Waits until what was written has left the process, at most so long. */
  flush(ms: number): Promise<void>
}

/** Kept for a slow reader, besides the 64 kB that a pipe holds: some thousand lines. */
const waitingBytesMax = 1_048_576
const batchBytes = 32_768
const batchMs = 200

/**
 * Writes lines in batches. Standard error is asynchronous where it is a pipe or a socket, as under a supervisor or in a
 * container, and synchronous where it is a file or a terminal.
 */
export function openLogOutput(stream: Writable, countDropped: (lines: number) => void): LogOutput {
  let batch: string[] = []
  let bytes = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  const drop = (lines: number) => {
    dropped += lines
    countDropped(lines)
  }
  // The writes report the failure themselves; without a listener it would end the process.
  stream.on('error', () => {})
  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = batch
    batch = []
    bytes = 0
    if (lines.length === 0) return
    // A synchronous stream has no backlog.
    if ((stream.writableLength ?? 0) > waitingBytesMax) return drop(lines.length)
    if (dropped > 0) {
      lines.unshift(droppedLine(dropped))
      dropped = 0
    }
    try {
      stream.write(lines.join(''), (error) => {
        if (error) drop(lines.length)
      })
    } catch {
      drop(lines.length)
    }
  }
  return {
    write: (line) => {
      batch.push(line)
      bytes += line.length
      if (bytes >= batchBytes) send()
      else timer ??= setTimeout(send, batchMs).unref()
    },
    flush: async (ms) => {
      send()
      if (!stream.writableLength) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const limit = setTimeout(resolve, ms)
      // Called when everything before it is written, or has failed.
      stream.write('', () => resolve())
      await promise
      clearTimeout(limit)
    },
  }
}

const droppedLine = (lines: number) =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg: 'log lines were dropped because nobody read them in time' })}\n`
