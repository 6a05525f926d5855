/** Draws texts of the shape of others. */
import { createHash } from 'node:crypto'

/** Bytes without end that follow from a seed. */
export function* drawBytes(seed: Uint8Array): Generator<number, never> {
  for (let block = seed; ; block = createHash('sha256').update(block).digest()) yield* block
}

/**
 * Digits for digits and letters for letters, in the same case; other signs stay. A first digit other than zero stays
 * other than zero, unless `anyFirst`.
 */
export function drawShape(seed: Uint8Array, value: string, anyFirst = false): string {
  const bytes = drawBytes(seed)
  let isFirst = !anyFirst
  return value.replaceAll(/\p{N}|\p{L}/gu, (sign) => {
    const byte = bytes.next().value
    if (/\p{N}/u.test(sign)) {
      const digit = isFirst && sign !== '0' ? 1 + (byte % 9) : byte % 10
      isFirst = false
      return String(digit)
    }
    const letter = String.fromCharCode(97 + (byte % 26))
    return sign === sign.toLowerCase() ? letter : letter.toUpperCase()
  })
}
