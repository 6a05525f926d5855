/** Masks rows between two COPY streams, in COPY's text format: a line per row, its values separated by tabs. */
import type { Mask } from './mask-kinds.ts'

const newline = 10
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const signs: Record<string, string> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

const decode = (field: string): string =>
  field.includes('\\') ? field.replaceAll(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign) : field
const encode = (value: string): string => value.replaceAll(/[\\\b\f\n\r\t\v]/g, (sign) => signs[sign]!)

/** The mask of each column of a table, in the order of its columns; undefined keeps the value. */
export type RowMask = readonly (Mask | undefined)[]

/** Masks a stream of whole or broken lines. Yields whole lines. */
export async function* maskRows(
  chunks: AsyncIterable<Buffer>,
  masks: RowMask,
): AsyncGenerator<{ lines: Buffer; rows: number }> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = whole.lastIndexOf(newline) + 1
    rest = Buffer.from(whole.subarray(end))
    if (end === 0) continue
    const lines = whole.toString('utf8', 0, end - 1).split('\n')
    yield {
      lines: Buffer.from(`${lines.map((line) => maskLine(line, masks)).join('\n')}\n`),
      rows: lines.length,
    }
  }
}

function maskLine(line: string, masks: RowMask): string {
  const fields = line.split('\t')
  masks.forEach((mask, place) => {
    const field = fields[place]!
    if (mask === undefined || field === absent) return
    const masked = mask(decode(field))
    fields[place] = masked === null ? absent : encode(masked)
  })
  return fields.join('\t')
}

const absent = '\\N'
