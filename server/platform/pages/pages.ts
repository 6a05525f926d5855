/** Pages for people: the OpenAPI document, the reference in two forms, the problems, and a start page. */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { basePath } from '../../../contract/api.ts'
import type { OpenApiDocument } from '../../../contract/openapi/openapi-document.ts'
import { withOwnFields, type OwnFields } from '../../../contract/openapi/openapi-own-fields.ts'
import { withServices, type DescribedService } from '../../../contract/openapi/openapi-services.ts'
import { openApiDocument } from '../../../contract/openapi/openapi.ts'
import { postmanCollection } from '../../../contract/openapi/postman.ts'
import { serveDocs } from './docs-pages.ts'
import { html, pageCsp, renderPage, stylesheet, type Html } from './html.ts'
import {
  describeProblem,
  findProblemKind,
  renderNoProblem,
  renderProblem,
  renderProblemList,
} from './problem-pages.ts'
import { renderReadingCopy } from './reading-copy.ts'
import { loadReferenceBundle, selectCoding } from './reference-bundle.ts'
import { documentUrl, renderReferencePage } from './reference-page.ts'
import { problems, type ProblemKind } from '../../../contract/platform/problem.ts'

export { pageCsp } from './html.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)
const stylesheetUrl = `/pages/${hashOf(stylesheet)}.css`
const postmanUrl = documentUrl.replace('openapi', 'postman')
const forEver = 'public, max-age=31536000, immutable'

export interface PageOptions {
  version: string
  /** The installation's custom fields. The same map while nothing changed. */
  ownFields?: () => Promise<OwnFields>
  /** The installation's services, which do not change. */
  services?: () => Promise<readonly DescribedService[]>
}

const none: OwnFields = new Map()

type LoadDocument = () => Promise<OpenApiDocument>

/** Registers the pages. Sets their content security policy and caching; the app's hooks do the rest. */
export function servePages(app: FastifyInstance, options: PageOptions): void {
  let shipped: OpenApiDocument | undefined
  let made: { own: OwnFields; document: OpenApiDocument } | undefined
  const loadDocument = async () => {
    shipped ??= withServices(
      openApiDocument({ version: options.version }),
      (await options.services?.()) ?? [],
    )
    // Without the database, custom fields are missing from the document.
    const own = (await options.ownFields?.().catch(() => none)) ?? none
    if (made?.own !== own) made = { own, document: withOwnFields(shipped, own) }
    return made.document
  }
  if (!app.hasRoute({ method: 'GET', url: '/' }))
    app.get('/', (_request, reply) => sendPage(reply, 'Fordra', renderHome(options.version)))
  app.get(stylesheetUrl, (_request, reply) =>
    reply.header('cache-control', forEver).type('text/css; charset=utf-8').send(stylesheet),
  )
  serveDocument(app, loadDocument)
  serveReference(app, loadDocument)
  serveProblems(app)
  serveDocs(app, stylesheetUrl)
}

function serveDocument(app: FastifyInstance, loadDocument: LoadDocument): void {
  let cached: { document: OpenApiDocument; text: string; etag: string } | undefined
  app.get(documentUrl, async (request, reply) => {
    const document = await loadDocument()
    if (cached?.document !== document) {
      const text = JSON.stringify(document)
      // Weak, because a compressed copy has the same tag.
      cached = { document, text, etag: `W/"${hashOf(text)}"` }
    }
    reply.header('etag', cached.etag).header('cache-control', 'no-cache')
    if (matchesETag(request.headers['if-none-match'], cached.etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(cached.text)
  })
  app.get(postmanUrl, async (request, reply) =>
    sendJson(reply, postmanCollection(await loadDocument(), `${request.protocol}://${request.host}`)),
  )
}

/** True if `If-None-Match` names the tag, by weak comparison as RFC 9110 requires. */
function matchesETag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map(opaqueTag)
  return tags.includes('*') || tags.includes(opaqueTag(etag))
}

const opaqueTag = (tag: string) => tag.trim().replace(/^W\//, '')

function serveReference(app: FastifyInstance, loadDocument: LoadDocument): void {
  app.get('/reference', async (_request, reply) => {
    const { hash } = await loadReferenceBundle()
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .header('content-security-policy', pageCsp(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(renderReferencePage({ nonce, scriptUrl: `/reference/${hash}.js` }))
  })
  for (const other of ['/reference/', `${basePath}/reference`])
    app.get(other, (_request, reply) => reply.redirect('/reference', 308))
  app.get<{ Params: { hash: string } }>('/reference/:hash.js', async (request, reply) => {
    const bundle = await loadReferenceBundle()
    // An address of an earlier version: its script is gone, and another must not be cached under it.
    if (request.params.hash !== bundle.hash) return reply.callNotFound()
    const coding = selectCoding(request.headers['accept-encoding'])
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply
      .header('vary', 'Accept-Encoding')
      .header('cache-control', forEver)
      .type('text/javascript; charset=utf-8')
      .send(bundle[coding])
  })
  let copy: { document: OpenApiDocument; page: Html } | undefined
  app.get('/reference/plain', async (_request, reply) => {
    const document = await loadDocument()
    if (copy?.document !== document) copy = { document, page: renderReadingCopy(document) }
    return sendPage(reply, 'API reference, reading copy', copy.page)
  })
}

function serveProblems(app: FastifyInstance): void {
  app.get('/problems', (request, reply) => {
    reply.header('vary', 'Accept')
    if (!prefersJson(request.headers.accept)) return sendPage(reply, 'Problems', renderProblemList())
    return sendJson(reply, { problems: (Object.keys(problems) as ProblemKind[]).map(describeProblem) })
  })
  app.get<{ Params: { kind: string } }>('/problems/:kind', (request, reply) => {
    reply.header('vary', 'Accept')
    const kind = findProblemKind(request.params.kind)
    if (kind === undefined) return sendNoProblem(request, reply)
    if (prefersJson(request.headers.accept)) return sendJson(reply, describeProblem(kind))
    return sendPage(reply, problems[kind][1], renderProblem(kind))
  })
}

function sendNoProblem(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(404)
  if (!prefersJson(request.headers.accept)) return sendPage(reply, 'No such problem', renderNoProblem())
  const [status, title] = problems['not-found']
  return reply.type('application/problem+json; charset=utf-8').send(
    JSON.stringify({
      type: '/problems/not-found',
      title,
      status,
      detail: 'There is no problem of that name; GET /problems lists all of them.',
      instance: request.url.split('?')[0],
      code: 'not-found',
      traceId: request.id,
    }),
  )
}

/** True if `Accept` prefers JSON to HTML. Browsers, `*\/*` and a missing header get HTML. */
export function prefersJson(accept = ''): boolean {
  const weights = accept.split(',').map((item) => {
    const [type = '', ...parameters] = item
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, weight: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  const best = (pattern: RegExp) =>
    Math.max(0, ...weights.filter(({ type }) => pattern.test(type)).map(({ weight }) => weight))
  return best(/^application\/([\w.-]+\+)?json$/) > best(/^(text\/html|application\/xhtml\+xml)$/)
}

const sendJson = (reply: FastifyReply, value: object): FastifyReply =>
  reply
    .header('cache-control', 'no-cache')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value))

const sendPage = (reply: FastifyReply, title: string, body: Html): FastifyReply =>
  reply
    .header('content-security-policy', pageCsp())
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(
      renderPage({
        title: title === 'Fordra' ? title : `${title} · Fordra`,
        stylesheet: stylesheetUrl,
        body,
      }),
    )

const renderHome = (version: string): Html =>
  html`<h1>Fordra</h1>
    <p>An open debt-collection platform, version ${version}.</p>
    <ul>
      <li><a href="/docs">Documentation</a>: guides, formulas, glossary</li>
      <li><a href="/reference">API reference</a>, to browse and to try</li>
      <li><a href="/reference/plain">API reference</a>, a reading copy without scripts</li>
      <li><a href="${documentUrl}">OpenAPI document</a></li>
      <li><a href="${postmanUrl}">Postman collection</a></li>
      <li><a href="/problems">Problems</a> that the API reports, and how to mend them</li>
      <li>Health: <a href="/health/live">live</a>, <a href="/health/ready">ready</a></li>
    </ul>`
