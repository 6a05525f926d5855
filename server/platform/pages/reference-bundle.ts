import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import fastify from 'fastify'

/** The script of the reference, in several content codings. */
export interface ReferenceBundle {
  /** Changes with the script, so that its address can be cached for ever. */
  hash: string
  identity: Buffer
  br: Buffer
  gzip: Buffer
}
export type ContentCoding = 'br' | 'gzip' | 'identity'

const scriptUrl = '/js/scalar.js'

/**
 * Reads the script from the installed package. The package embeds it as text in its plugin and serves it by one route
 * only, so an app that never listens requests it.
 */
async function readScript(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  try {
    await app.register(reference, { routePrefix: '/', configuration: { url: '/' } })
    const { statusCode, rawPayload } = await app.inject(scriptUrl)
    if (statusCode !== 200)
      throw new Error(`The reference package gave ${statusCode} for its script, not 200.`)
    return rawPayload
  } finally {
    await app.close()
  }
}

/**
 * Quality 9 takes a third of a second, off the main thread. The best quality takes twenty times that and saves a tenth.
 */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function buildBundle(): Promise<ReferenceBundle> {
  const identity = await readScript()
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, brotliOptions),
    promisify(gzip)(identity, { level: 6 }),
  ])
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 16)
  return { hash, identity, br, gzip: zipped }
}

let bundle: Promise<ReferenceBundle> | undefined

/** The bundle, built on first use and cached. After a failure the next call tries again. */
export function loadReferenceBundle(): Promise<ReferenceBundle> {
  bundle ??= buildBundle().catch((error: unknown) => {
    bundle = undefined
    throw error
  })
  return bundle
}

/** The best coding that an `Accept-Encoding` header allows. */
export function selectCoding(acceptEncoding = ''): ContentCoding {
  const taken = acceptEncoding
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .filter(([, weight = '']) => !/^q=0(\.0*)?$/.test(weight))
    .map(([coding]) => coding)
  return (['br', 'gzip'] as const).find((coding) => taken.includes(coding)) ?? 'identity'
}
