/** The part of the tar format (POSIX.1-1988, ustar) that a backup needs: whole files, one after the other. */
import { createReadStream } from 'node:fs'

const block = 512
const nameMax = 100

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`

/** The header and the padded content of one file. */
export function tarEntry(name: string, content: Buffer, modified: Date): Buffer[] {
  if (Buffer.byteLength(name) > nameMax) throw new RangeError(`The name ${name} is too long for the archive.`)
  const header = Buffer.alloc(block)
  header.write(name, 0, 'utf8')
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(content.length, 11), 124)
  header.write(octal(Math.floor(modified.getTime() / 1000), 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar', 257)
  header.write('00', 263)
  header.write(`${octal(computeChecksum(header), 6)} `, 148)
  return [header, content, Buffer.alloc((block - (content.length % block)) % block)]
}

/** The bytes that a file takes in the archive. */
export const tarSize = (content: Buffer): number => block + Math.ceil(content.length / block) * block

export const tarEnd = (): Buffer => Buffer.alloc(2 * block)

const computeChecksum = (header: Buffer): number => header.reduce((sum, byte) => sum + byte, 0)

export class TarBroken extends Error {}

/** The files of an archive in order. Throws TarBroken when it is truncated or not an archive. */
export async function* readTar(file: string): AsyncGenerator<{ name: string; content: Buffer }> {
  const read = createReader(createReadStream(file, { highWaterMark: 1024 * 1024 }))
  for (;;) {
    const header = await read(block)
    if (header.every((byte) => byte === 0)) return
    const [name, size] = readHeader(header)
    const content = await read(size)
    await read((block - (size % block)) % block)
    yield { name, content }
  }
}

function readHeader(header: Buffer): [name: string, size: number] {
  const text = (from: number, length: number) =>
    header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const sum = Number.parseInt(text(148, 8), 8)
  const blank = Buffer.from(header)
  blank.write(' '.repeat(8), 148)
  if (text(257, 5) !== 'ustar' || sum !== computeChecksum(blank))
    throw new TarBroken('This is not a backup archive, or it is damaged.')
  return [text(0, nameMax), Number.parseInt(text(124, 12), 8)]
}

function createReader(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]()
  let kept: Buffer[] = []
  let size = 0
  return async (length: number): Promise<Buffer> => {
    while (size < length) {
      const { value, done } = await source.next()
      if (done) throw new TarBroken('The archive ends too early: it is incomplete.')
      kept.push(value)
      size += value.length
    }
    const all = Buffer.concat(kept)
    kept = [all.subarray(length)]
    size -= length
    return all.subarray(0, length)
  }
}
