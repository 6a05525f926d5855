import { getRandomValues } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const randomBytes = new Uint8Array(16 * 256)
let used = randomBytes.length
let lastMs = 0
let sequence = 0

/**
 * A time-ordered UUID (RFC 9562 version 7), increasing also within a millisecond of this process. Random bytes are
 * fetched for 256 ids at a time: one by one they cost an import a tenth of its time.
 */
export function makeId(): string {
  if (used === randomBytes.length) {
    getRandomValues(randomBytes)
    used = 0
  }
  const random = randomBytes.subarray(used, used + 16)
  used += 16
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    // The upper half leaves room for further ids in the same millisecond.
    sequence = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!
  } else {
    sequence += 1
  }
  return uuidv7({ random, msecs: lastMs, seq: sequence })
}
