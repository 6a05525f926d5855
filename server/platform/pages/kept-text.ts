import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { selectCoding, type ContentCoding } from './content-coding.ts'

/** For routes that send a `KeptText`. */
export const compressedOnce = { compress: false } as const

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * A long text that everybody may read. All answers share its bytes. A text would be encoded, compressed and held in
 * memory for each of them, and some thousand requests of a stranger would stop the node for a minute.
 */
export class KeptText {
  readonly #plain: Buffer
  readonly #compressed = new Map<ContentCoding, Promise<Buffer>>()

  constructor(text: string) {
    this.#plain = Buffer.from(text)
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const coding = selectCoding(request.headers['accept-encoding'])
    if (coding === 'identity') return reply.send(this.#plain)
    return reply.header('content-encoding', coding).send(await this.#compress(coding))
  }

  #compress(coding: 'br' | 'gzip'): Promise<Buffer> {
    const known = this.#compressed.get(coding)
    if (known) return known
    const made =
      coding === 'br'
        ? promisify(brotliCompress)(this.#plain, brotliOptions)
        : promisify(gzip)(this.#plain, { level: 6 })
    this.#compressed.set(coding, made)
    return made
  }
}
