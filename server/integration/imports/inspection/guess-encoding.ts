/** Guesses the encoding of a text file. */
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { findMark, type Encoding } from '../reading/inspect-file.ts'

/** The letters that the Nordic languages and German have besides A to Z, and common signs. */
const expected = new Set('åäöÅÄÖæøÆØüÜßéÉèàáíóúýþðÞÐ€§°–’“”\u00a0')
/** Where their scores are equal, the first one is taken. */
const singleByte = ['windows-1252', 'macintosh'] as const satisfies readonly Encoding[]
const sampleBytes = 262_144

/** The encoding of its byte order mark, UTF-16 by its zero bytes, UTF-8 if valid, or else the likeliest letters. */
export function guessEncoding(bytes: Buffer): Encoding {
  const mark = findMark(bytes)
  if (mark) return mark.encoding
  const sample = bytes.subarray(0, sampleBytes)
  const wide = guessUtf16(sample)
  if (wide) return wide
  if (isUtf8(withoutTornEnd(sample))) return 'utf-8'
  return singleByte
    .map((encoding) => ({ encoding, score: scoreLetters(new TextDecoder(encoding).decode(sample)) }))
    .toSorted((one, other) => other.score - one.score)[0]!.encoding
}

/** ASCII in UTF-16 has a zero in every other byte. */
function guessUtf16(sample: Buffer): Encoding | undefined {
  const zeros = [0, 0]
  const length = Math.min(sample.length, 4096)
  for (let at = 0; at < length; at++) if (sample[at] === 0) zeros[at % 2]! += 1
  const many = length / 4
  if (zeros[1]! > many && zeros[0]! < many / 4) return 'utf-16le'
  return zeros[0]! > many && zeros[1]! < many / 4 ? 'utf-16be' : undefined
}

/** Without the beginning of a character whose rest is cut off. */
function withoutTornEnd(sample: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, sample.length); back++) {
    const byte = sample[sample.length - back]!
    if (byte >= 0xc0) return sample.subarray(0, sample.length - back)
    if (byte < 0x80) break
  }
  return sample
}

function scoreLetters(text: string): number {
  let score = 0
  for (const sign of text) if (sign.charCodeAt(0) > 127) score += expected.has(sign) ? 1 : -1
  return score
}
