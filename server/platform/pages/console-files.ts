/**
 * Serves the console: the built files of `console/dist`, at the root of this service. Files have a hash in their name
 * and are cached for ever; the page that names them is not cached.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { selectCoding, type ContentCoding } from './content-coding.ts'
import { requestPath } from '../http/request-path.ts'

const consoleFolder = join(import.meta.dirname, '../../../console/dist')

/** The placeholder for the nonce, which console/vite.config.ts makes Vite write. */
const noncePlace = 'NONCE-OF-THE-ANSWER'

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  woff2: 'font/woff2',
}

/** First path segments that never belong to the console. */
const others = new Set([
  '.well-known',
  'api',
  'assets',
  'docs',
  'health',
  'mcp',
  'metrics',
  'oauth2',
  'pages',
  'problems',
  'reference',
])

/**
 * Allows scripts and requests of the same origin, and styles with the answer's nonce. `data:` images are the QR code of
 * an enrolment, users' photos and the icon.
 */
export const consoleCsp = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The built console. */
export interface WebConsole {
  /** Registers its files and the root. */
  serve(app: FastifyInstance): void
  /** True if a request without a route asks for a screen: an address of the console, typed or reloaded. */
  isScreen(request: FastifyRequest): boolean
  sendPage(reply: FastifyReply): FastifyReply
}

/** Undefined if the console was not built. */
export function openConsole(folder = consoleFolder): WebConsole | undefined {
  const pageFile = join(folder, 'index.html')
  if (!existsSync(pageFile)) return undefined
  const page = readFileSync(pageFile, 'utf8')
  const assets = new Assets(join(folder, 'assets'))
  const sendPage = (reply: FastifyReply) => sendConsole(reply, page)
  return {
    isScreen,
    sendPage,
    serve: (app) => {
      app.get('/', (_request, reply) => sendPage(reply))
      app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
        const { name } = request.params
        return assets.has(name) ? sendAsset(request, reply, { assets, name }) : reply.callNotFound()
      })
    },
  }
}

function isScreen(request: FastifyRequest): boolean {
  const [, first = '', ...rest] = requestPath(request).split('/')
  const last = rest.at(-1) ?? first
  const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
  return wantsPage && !others.has(first) && !last.includes('.')
}

function sendConsole(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  return reply
    .code(200)
    .header('content-security-policy', consoleCsp(nonce))
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlace, nonce))
}

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { assets, name }: { assets: Assets; name: string },
): Promise<FastifyReply> {
  const coding = selectCoding(request.headers['accept-encoding'])
  const body = await assets.read(name, coding)
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply
    .header('vary', 'Accept-Encoding')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .type(types[name.split('.').at(-1)!] ?? 'application/octet-stream')
    .send(body)
}

/** For a file without a compressed copy: quality 9 takes some milliseconds, once. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** The files of one folder, cached on first use. Those that the build has compressed are read; others are compressed. */
class Assets {
  readonly #folder: string
  readonly #names: Set<string>
  readonly #kept = new Map<string, Promise<Buffer>>()

  constructor(folder: string) {
    this.#folder = folder
    this.#names = new Set(existsSync(folder) ? readdirSync(folder) : [])
  }

  has(name: string): boolean {
    return this.#names.has(name) && !name.endsWith('.br')
  }

  read(name: string, coding: ContentCoding): Promise<Buffer> {
    const key = `${coding} ${name}`
    const known = this.#kept.get(key)
    if (known) return known
    const reading = this.#compress(name, coding)
    this.#kept.set(key, reading)
    reading.catch(() => this.#kept.delete(key))
    return reading
  }

  async #compress(name: string, coding: ContentCoding): Promise<Buffer> {
    if (coding === 'br' && this.#names.has(`${name}.br`)) return readFile(join(this.#folder, `${name}.br`))
    const plain = await readFile(join(this.#folder, name))
    if (coding === 'br') return promisify(brotliCompress)(plain, brotliOptions)
    return coding === 'gzip' ? promisify(gzip)(plain, { level: 6 }) : plain
  }
}
